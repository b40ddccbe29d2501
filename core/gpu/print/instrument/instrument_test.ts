import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { onDevice } from "../../device/on_device_test.ts";
import { FollowedDevice } from "../testdata/followed_device.ts";
import { instrument } from "./instrument.ts";

const SIZE = 4;
const { STORAGE, COPY_SRC, UNIFORM } = GPUBufferUsage;

const ADD = `@group(0) @binding(0) var<storage, read_write> sum: array<u32, 1>;
@compute @workgroup_size(1) fn main() {
  printf("sum %u\\n", sum[0]);
  sum[0] += 5;
}`;

function sumBuffer(device: GPUDevice): GPUBuffer {
  return device.createBuffer({ size: SIZE, usage: STORAGE | COPY_SRC });
}

onDevice("a shader prints by its own bind groups, in each dispatch, and by its name", async () => {
  await using bench = await FollowedDevice.open();
  const { device } = bench;
  const module = device.createShaderModule({ label: "add.wgsl", code: ADD });
  const descriptor = { layout: "auto", compute: { module } } as const;
  const pipelines = [
    device.createComputePipeline(descriptor),
    await device.createComputePipelineAsync({ ...descriptor, label: "late" }),
  ];
  const buffer = sumBuffer(device);
  bench.compute((pass) => {
    for (const pipeline of pipelines) {
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, bench.groupOf(pipeline.getBindGroupLayout(0), [buffer]));
      pass.dispatchWorkgroups(1);
      pass.dispatchWorkgroups(1);
    }
  });
  assertEquals(await bench.said(), [
    "add.wgsl:3 [pass 0:0] sum 0",
    "add.wgsl:3 [pass #2 0:0] sum 5",
    "add.wgsl:3 [late 0:0] sum 10",
    "add.wgsl:3 [late #2 0:0] sum 15",
  ]);
});

onDevice("explicit layouts, and groups behind the ring's, stay as they are", async () => {
  await using bench = await FollowedDevice.open();
  const { device } = bench;
  const visibility = GPUShaderStage.COMPUTE;
  const layouts = ["storage", "read-only-storage"].map((type) =>
    device.createBindGroupLayout({
      entries: [{
        binding: 0,
        visibility,
        buffer: { type: type as GPUBufferBindingType, hasDynamicOffset: type !== "storage" },
      }],
    })
  );
  const [sums, others] = layouts as [GPUBindGroupLayout, GPUBindGroupLayout];
  const make = (code: string, bindGroupLayouts: GPUBindGroupLayout[]) =>
    device.createComputePipeline({
      layout: device.createPipelineLayout({ bindGroupLayouts }),
      compute: { module: device.createShaderModule({ code }) },
    });
  const adding = make(ADD, [sums]);
  // Its second group is where the first pipeline has its ring.
  const taking = make(
    `@group(0) @binding(0) var<storage, read_write> sum: array<u32, 1>;
     @group(1) @binding(0) var<storage> more: array<u32, 1>;
     @compute @workgroup_size(1) fn main() { sum[0] += more[0]; }`,
    [sums, others],
  );
  const buffer = sumBuffer(device);
  const more = device.createBuffer({ size: 512, usage: STORAGE | GPUBufferUsage.COPY_DST });
  device.queue.writeBuffer(more, 256, Uint32Array.of(100));
  const group = (layout: GPUBindGroupLayout, buffer: GPUBuffer) =>
    device.createBindGroup({ layout, entries: [{ binding: 0, resource: { buffer, size: 4 } }] });
  const offsets = Uint32Array.of(7, 256);
  bench.compute((pass) => {
    pass.setBindGroup(0, group(sums, buffer));
    pass.setBindGroup(1, group(others, more), offsets, 1, 1);
    offsets[1] = 0;
    for (const pipeline of [adding, taking, adding]) {
      pass.setPipeline(pipeline);
      pass.dispatchWorkgroups(1);
    }
  });
  assertEquals(await bench.said(), [
    "shader1:3 [pass 0:0] sum 0",
    "shader1:3 [pass #2 0:0] sum 105",
  ]);
});

const FOUR = `@group(0) @binding(0) var<storage, read_write> a: array<u32, 1>;
@group(1) @binding(0) var<uniform> b: vec4u;
@group(2) @binding(0) var<uniform> c: vec4u;
@group(3) @binding(2) var<uniform> d: vec4u;
@compute @workgroup_size(1) fn main() { a[0] += b.x + c.x + d.x + 1; printf("%v", a[0]); }`;

onDevice("a shader of all four groups shares the last one with its ring", async () => {
  await using bench = await FollowedDevice.open();
  const { device } = bench;
  const module = device.createShaderModule({ code: FOUR });
  const visibility = GPUShaderStage.COMPUTE;
  const explicit = [0, 1, 2, 3].map((group) =>
    device.createBindGroupLayout({
      entries: [{
        binding: group === 3 ? 2 : 0,
        visibility,
        buffer: { type: group === 0 ? "storage" : "uniform" },
      }],
    })
  );
  const layout = device.createPipelineLayout({ bindGroupLayouts: explicit });
  const pipelines = [
    device.createComputePipeline({ layout: "auto", compute: { module } }),
    device.createComputePipeline({ layout, compute: { module } }),
  ];
  const buffers = [
    sumBuffer(device),
    ...[1, 2, 3].map(() => device.createBuffer({ size: 16, usage: UNIFORM })),
  ];
  for (const [index, pipeline] of pipelines.entries()) {
    bench.compute((pass) => {
      pass.setPipeline(pipeline);
      buffers.forEach((buffer, group) => {
        const layout = index === 0 ? pipeline.getBindGroupLayout(group) : explicit[group]!;
        pass.setBindGroup(group, bench.groupOf(layout, [buffer], group === 3 ? 2 : 0));
      });
      pass.dispatchWorkgroups(1);
    });
  }
  assertEquals(await bench.said(), ["shader1:5 [pass 0:0] 1", "shader1:5 [pass 0:0] 2"]);
});

const SHADE = `@vertex fn vs(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
  return vec4f(f32(i & 1) * 4 - 1, f32(i >> 1) * 4 - 1, 0, 1);
}
@fragment fn fs(@builtin(position) at: vec4f) -> @location(0) vec4f {
  let color = vec4f(at.x - 0.5, 0.2, 0.4, 1);
  printf("%.1v2f ", color.xy);
  printf("%v\\n", all(color > vec4f()));
  return color;
}`;

onDevice("fragments print in passes and bundles, and draw as without", async () => {
  await using bench = await FollowedDevice.open();
  const { device } = bench;
  const silent = bench.drawing(SHADE.replaceAll(/printf.*/g, ""), "shade");
  const pipeline = bench.drawing(SHADE, "shade");
  const bundler = device.createRenderBundleEncoder({ colorFormats: ["rgba8unorm"], label: "kept" });
  bundler.setPipeline(pipeline);
  bundler.draw(3);
  const bundle = bundler.finish();
  const wanted = await bench.draw((pass) => {
    pass.setPipeline(silent);
    pass.draw(3);
  });
  assertEquals(await bench.said(), []);
  const direct = await bench.draw((pass) => {
    pass.pushDebugGroup("sky");
    pass.setPipeline(pipeline);
    pass.draw(3);
    pass.popDebugGroup();
  });
  const says = (label: string) => [
    `shade:6 [${label} pixel 0,0] (0.0, 0.2) false`,
    `shade:6 [${label} pixel 1,0] (1.0, 0.2) true`,
  ];
  assertEquals(await bench.said(), says("sky"));
  const bundled = await bench.draw((pass) => pass.executeBundles([bundle]));
  assertEquals(await bench.said(), says("kept"));
  assertEquals([direct, bundled], [wanted, wanted]);
  bench.printing.setFilter({ pixel: [1, 0] });
  await bench.draw((pass) => pass.executeBundles([bundle]));
  assertEquals(await bench.said(), says("kept").slice(1));
});

onDevice("uninstall() leaves no trace, and what was made in between works on", async () => {
  await using bench = await FollowedDevice.open();
  const { device, printing } = bench;
  const other = await FollowedDevice.open();
  const pipeline = bench.computing(ADD);
  const buffer = sumBuffer(device);
  const run = () =>
    bench.compute((pass) => {
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, bench.groupOf(pipeline.getBindGroupLayout(0), [buffer]));
      pass.dispatchWorkgroups(1);
    });
  assertThrows(() => instrument(device), TypeError, "call uninstall() of the first");
  run();
  printing.uninstall();
  printing.uninstall();
  run();
  assertEquals(await bench.said(), ["shader1:3 [pass 0:0] sum 0"]);
  const own = [device, device.queue, pipeline].flatMap((one) => Object.getOwnPropertyNames(one));
  assertEquals(own.filter((name) => name !== "onuncapturederror"), []);
  assert(Object.getOwnPropertyNames(other.device).includes("createShaderModule"));
  await other[Symbol.asyncDispose]();
  const again = instrument(device, { write: ({ text }) => bench.lines.push(text) });
  run(); // made before: it does not print
  bench.computing(ADD);
  await again.settled();
  again.uninstall();
  assertEquals(await bench.said(), []);
});

onDevice("a wrong printf is told as WebGPU tells it, at the author's place", async () => {
  await using bench = await FollowedDevice.open();
  const { device } = bench;
  const code = 'fn f(b: u32) {\n  printf("%d\\n", b);\n}';
  device.pushErrorScope("validation");
  const module = device.createShaderModule({ label: "wrong.wgsl", code });
  const { message } = (await device.popErrorScope())!;
  assertStringIncludes(message, "wrong.wgsl:2:18 ");
  assertStringIncludes(message, "%d takes i32 and b is u32: write %u");
  const [said] = (await module.getCompilationInfo()).messages;
  assertEquals([said!.type, said!.lineNum, said!.linePos, said!.offset], [
    "error",
    2,
    18,
    code.indexOf("b);"),
  ]);
  device.createShaderModule({ code });
  await Promise.resolve();
  assertStringIncludes(bench.errors.splice(0).join(), "write %u");
  // The compiler's own errors have the author's places, too.
  device.pushErrorScope("validation");
  const other = device.createShaderModule({
    code: 'fn f() { printf("a"); let x: i32 = nowhere; }',
  });
  assert(await device.popErrorScope());
  const [found] = (await other.getCompilationInfo()).messages;
  if (found) assertEquals([found.lineNum, found.linePos], [1, 36]);
  // So does an error for which a compiler names no place.
  device.pushErrorScope("validation");
  const twice = device.createShaderModule({
    code:
      '@compute @workgroup_size(1) fn f() { printf("a"); switch 1 { case 1 {} case 1 {} default {} } }',
  });
  assert(await device.popErrorScope());
  for (const { lineNum, type } of (await twice.getCompilationInfo()).messages) {
    assertEquals([lineNum <= 1, type], [true, "error"]);
  }
});

onDevice("what cannot print runs as without, and the reason is told", async () => {
  await using bench = await FollowedDevice.open();
  const { device } = bench;
  const storages = Array.from(
    { length: device.limits.maxStorageBuffersPerShaderStage },
    (_, at) => `@group(0) @binding(${at}) var<storage, read_write> b${at}: array<u32, 1>;`,
  );
  const uses = storages.map((_, at) => `b${at}[0] = 7;`);
  const module = device.createShaderModule({
    code: `${storages.join("")} @compute @workgroup_size(1) fn main() { ${
      uses.join("")
    } printf("a"); }`,
  });
  const pipeline = device.createComputePipeline({
    layout: "auto",
    label: "full",
    compute: { module },
  });
  const buffers = storages.map(() => sumBuffer(device));
  bench.compute((pass) => {
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, bench.groupOf(pipeline.getBindGroupLayout(0), buffers));
    pass.dispatchWorkgroups(1);
  });
  assertEquals(await bench.said(), []);
  const [warning] = bench.warnings.splice(0);
  assertStringIncludes(
    warning!,
    "the pipeline full prints nothing: its stage has 8 storage buffers",
  );
  // A function of the author's own is no printf.
  const own = "fn printf(a: u32) {} @compute @workgroup_size(1) fn main() { printf(1u); }";
  device.createShaderModule({ code: own });
});

onDevice(
  "lines beyond the most are counted, and a ring grows for those that are lost",
  async () => {
    await using bench = await FollowedDevice.open({ linesMax: 3, bytes: 44 });
    const running = (count: number) =>
      bench.running(`@compute @workgroup_size(1) fn main() {
        for (var i = 0; i < ${count}; i++) { printf("%d\\n", i); } }`);
    running(3)();
    assertEquals((await bench.said()).length, 3);
    const many = running(4);
    many();
    assertEquals((await bench.said()).length, 3);
    assertEquals(bench.warnings.splice(0), [
      "printf: 1 calls of shader2 found no room in 44 bytes",
    ]);
    many();
    assertEquals((await bench.said()).length, 3);
    assertStringIncludes(
      bench.warnings.splice(0).join(),
      "1 calls more are not shown, beyond 3 lines",
    );
  },
);

onDevice("a module may be made within a pass, and a device be requested by others", async () => {
  const lines: string[] = [];
  const all = instrument(navigator.gpu, { write: ({ text }) => lines.push(text) });
  const device = await (await navigator.gpu.requestAdapter())!.requestDevice();
  all.setFilter({ lane: 1 });
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  const code = `@compute @workgroup_size(2) fn main() { printf("here"); }`;
  const module = device.createShaderModule({ code });
  pass.setPipeline(device.createComputePipeline({ layout: "auto", compute: { module } }));
  pass.dispatchWorkgroups(1);
  pass.end();
  device.queue.submit([encoder.finish()]);
  await all.settled();
  all.uninstall();
  const own = [device, navigator.gpu].flatMap((one) => Object.getOwnPropertyNames(one));
  assertEquals([lines, own], [["here"], []]);
  device.destroy();
});
