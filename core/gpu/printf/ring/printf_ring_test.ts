import { assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import { onDevice } from "../../device/on_device_test.ts";
import { printing } from "../dispatch_printf_test.ts";
import { type PrintfModule, withPrintf } from "../with_printf.ts";
import type { PrintfRing } from "./printf_ring.ts";

const MAIN = "@compute @workgroup_size(1) fn main()";

/** A pipeline of layout "auto", and a ring. */
async function prepare(device: GPUDevice, shader: PrintfModule, options = {}) {
  const module = await shader.compile(device);
  const pipeline = device.createComputePipeline({ layout: "auto", compute: { module } });
  return { pipeline, ring: shader.attach(device, options) };
}

function dispatch(
  device: GPUDevice,
  pipeline: GPUComputePipeline,
  bind: (pass: GPUComputePassEncoder) => void,
): void {
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  bind(pass);
  pass.dispatchWorkgroups(1);
  pass.end();
  device.queue.submit([encoder.finish()]);
}

/** Each invocation prints records of different lengths, each with a check of its numbers. */
const CROWD = `@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
  for (var i = 0u; i < 16; i++) {
    let n = id.x * 16 + i;
    switch n % 3 {
      case 0: { printf("%u %u\\n", n, n * 2654435761u); }
      case 1: { printf("%u %v3u %u\\n", n, vec3u(n), n * 2654435761u); }
      default: { printf("%u %u %u %u %u %u\\n", n, n, n, n, n, n * 2654435761u); }
    }
  }
}`;

onDevice("a full ring loses whole calls, counts them, and says so", async ({ device }) => {
  const total = 64 * 64 * 16;
  for (const bytes of [16, 20, 100, 1000, 4096, 100_004, 1 << 21]) {
    const { text, callCount, lostCount, damagedWords, warnings } = await printing(device, CROWD, {
      groups: [64],
      bytes,
    });
    const lines = text.split("\n").slice(0, -1);
    assertEquals([lines.length, callCount + lostCount, damagedWords], [callCount, total, 0]);
    for (const line of lines) {
      const numbers = line.match(/\d+/g)!.map(Number);
      assertEquals(numbers.length, [2, 5, 6][numbers[0]! % 3], line);
      assertEquals(new Set(numbers.slice(0, -1)), new Set([numbers[0]]), line);
      assertEquals(numbers.at(-1), Math.imul(numbers[0]!, 2654435761) >>> 0, line);
    }
    assertEquals(new Set(lines).size, lines.length, "no call is there twice");
    assertEquals(lostCount === 0, bytes === 1 << 21);
    assertEquals(warnings.length, lostCount === 0 ? 0 : 1);
    if (lostCount > 0) {
      assertStringIncludes(
        warnings[0]!,
        `${lostCount} calls of printf were lost as the ring of ${bytes} bytes was full`,
      );
    }
  }
});

onDevice("a ring that was full is empty after it was read", async ({ device }) => {
  const shader = withPrintf(`${MAIN} { for (var i = 0; i < 9; i++) { printf("%d", i); } }`);
  const { pipeline, ring } = await prepare(device, shader, { bytes: 44 });
  for (let round = 0; round < 3; round++) {
    dispatch(device, pipeline, (pass) => ring.bind(pass, pipeline));
    const { text, lostCount } = await ring.printed();
    assertEquals([text, lostCount], ["012", 6]);
  }
  assertEquals((await ring.printed()).callCount, 0);
  await ring.destroy();
});

onDevice("what several dispatches print comes together, in order", async ({ device }) => {
  const shader = withPrintf(`var<workgroup> w: u32; ${MAIN} { printf("once "); }`);
  const { pipeline, ring } = await prepare(device, shader);
  for (let round = 0; round < 3; round++) {
    dispatch(device, pipeline, (pass) => ring.bind(pass, pipeline));
  }
  const reports = await Promise.all([ring.printed(), ring.printed()]);
  assertEquals(reports.map(({ text }) => text), ["once once once ", ""]);
  await ring.destroy();
});

onDevice("every way of reading back gives the same", async ({ device }) => {
  for (const readback of ["awaited", undefined] as const) {
    const options = readback ? { readback } : {};
    assertEquals((await printing(device, `${MAIN} { printf("%d", 5); }`, options)).text, "5");
  }
});

onDevice("an explicit layout has the ring's group behind the author's", async ({ device }) => {
  const shader = withPrintf(`@group(0) @binding(0) var<storage> a: array<u32>;
    ${MAIN} { printf("%u", a[0]); }`);
  const module = await shader.compile(device);
  const ring = shader.attach(device);
  const own = device.createBindGroupLayout({
    entries: [{
      binding: 0,
      visibility: GPUShaderStage.COMPUTE,
      buffer: { type: "read-only-storage" },
    }],
  });
  const layout = device.createPipelineLayout({ bindGroupLayouts: [own, ring.layout] });
  const pipeline = device.createComputePipeline({ layout, compute: { module } });
  const buffer = device.createBuffer({ size: 4, usage: GPUBufferUsage.STORAGE });
  const entries = [{ binding: 0, resource: { buffer } }];
  dispatch(device, pipeline, (pass) => {
    pass.setBindGroup(0, device.createBindGroup({ layout: own, entries }));
    ring.bind(pass);
  });
  assertEquals((await ring.printed()).text, "0");
  await ring.destroy();
  buffer.destroy();
});

onDevice(
  "a ring in a group of the author's gives its entries, and cannot be bound alone",
  async ({ device }) => {
    const source = `@group(0) @binding(0) var<storage, read_write> a: array<u32>;
    ${MAIN} { a[0] += 1; printf("%u", a[0]); }`;
    const shader = withPrintf(source, { group: 0 });
    const module = await shader.compile(device);
    const ring = shader.attach(device);
    const own = {
      binding: 0,
      visibility: GPUShaderStage.COMPUTE,
      buffer: { type: "storage" },
    } as const;
    const group = device.createBindGroupLayout({ entries: [own, ring.layoutEntry] });
    const layout = device.createPipelineLayout({ bindGroupLayouts: [group] });
    const pipeline = device.createComputePipeline({ layout, compute: { module } });
    const buffer = device.createBuffer({ size: 4, usage: GPUBufferUsage.STORAGE });
    const entries = [{ binding: 0, resource: { buffer } }, ring.entry];
    dispatch(device, pipeline, (pass) => {
      assertThrows(() => ring.bind(pass), TypeError, "shares group 0 with variables of the shader");
      pass.setBindGroup(0, device.createBindGroup({ layout: group, entries }));
    });
    assertThrows(() => ring.layout, TypeError, "Cannot lay out the ring alone");
    assertEquals((await ring.printed()).text, "1");
    await ring.destroy();
    buffer.destroy();
  },
);

onDevice("fragments print, with their pixels", async ({ device }) => {
  const { text, calls } = await drawn(
    device,
    `
    fn shade(at: vec2f) -> f32 { printf("%v2f\\n", at); return at.x; }
    @fragment fn fs(@builtin(position) at: vec4f) -> @location(0) vec4f { return vec4f(shade(at.xy)); }`,
  );
  assertEquals(
    text,
    "(0.5, 0.5)\n(1.5, 0.5)\n(0.5, 1.5)\n(1.5, 1.5)\n".replaceAll(/\.5(?=[,)])/g, ".500000"),
  );
  assertEquals(
    calls,
    [[0, 0], [1, 0], [0, 1], [1, 1]].map(([x, y]) => ({ stage: "fragment", x, y })),
  );
});

onDevice(
  "a fragment gets its pixel where it has none of its own, or one in a struct",
  async ({ device }) => {
    const sources = [
      '@fragment fn fs() -> @location(0) vec4f { printf("f"); return vec4f(); }',
      `struct In { @builtin(position) at: vec4f }
     @fragment fn fs(in: In) -> @location(0) vec4f { printf("f"); return in.at; }`,
    ];
    for (const source of sources) assertEquals((await drawn(device, source)).text, "ffff");
  },
);

/** Draws two by two pixels, and reads what their fragments print. */
async function drawn(device: GPUDevice, fragment: string) {
  const shader = withPrintf(`${fragment}
    @vertex fn vs(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
      return vec4f(f32(i & 1) * 4 - 1, f32(i >> 1) * 4 - 1, 0, 1);
    }`);
  const module = await shader.compile(device);
  const format = "rgba8unorm";
  const pipeline = device.createRenderPipeline({
    layout: "auto",
    vertex: { module },
    fragment: { module, targets: [{ format }] },
  });
  const ring = shader.attach(device);
  const usage = GPUTextureUsage.RENDER_ATTACHMENT;
  const texture = device.createTexture({ size: [2, 2], format, usage });
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginRenderPass({
    colorAttachments: [{ view: texture.createView(), loadOp: "clear", storeOp: "store" }],
  });
  pass.setPipeline(pipeline);
  ring.bind(pass, pipeline);
  pass.draw(3);
  pass.end();
  device.queue.submit([encoder.finish()]);
  const calls: unknown[] = [];
  const { text } = await ring.printed({ sink: (_, { place }) => calls.push(place) });
  await ring.destroy();
  texture.destroy();
  return { text, calls };
}

onDevice("what something else wrote into the ring is damage, and no more", async ({ device }) => {
  const shader = withPrintf(`${MAIN} { printf("%d ", 5); }`);
  const { pipeline, ring } = await prepare(device, shader, { bytes: 64 });
  const hostile = [
    [2, 0, 0xffffffff, 0xffffffff],
    [0xffffffff, 7, 0x10000, 0, 1, 0x20000],
    [3, 0, 0, 0, 0],
  ];
  for (const words of hostile) {
    device.queue.writeBuffer(ring.buffer, 0, new Uint32Array(words));
    const { damagedWords, warnings } = await ring.printed();
    assertEquals([damagedWords > 0, warnings.some((text) => text.includes("are no records"))], [
      true,
      true,
    ]);
  }
  dispatch(device, pipeline, (pass) => ring.bind(pass, pipeline));
  assertEquals((await ring.printed()).text, "5 ");
  await ring.destroy();
});

onDevice("a sink that throws ends the reading, and the ring goes on", async ({ device }) => {
  const shader = withPrintf(`${MAIN} { printf("a"); printf("b"); }`);
  const { pipeline, ring } = await prepare(device, shader);
  const seen: string[] = [];
  const run = () => dispatch(device, pipeline, (pass) => ring.bind(pass, pipeline));
  const sink = (text: string) => {
    seen.push(text);
    throw new TypeError("enough");
  };
  run();
  await assertRejects(() => ring.printed({ sink }), TypeError, "enough");
  run();
  assertEquals([(await ring.printed()).text, seen], ["ab", ["a"]]);
  await ring.destroy();
});

onDevice("labels, and the line of each printf", async ({ device }) => {
  const source = `@compute @workgroup_size(2) fn main() {\n  printf("a\\n");\n  printf("b\\n");\n}`;
  const lines: number[] = [];
  const { text } = await printing(device, source, {
    isLabelled: true,
    sink: (_, { position }) => lines.push(position.line),
  });
  assertEquals([text, lines], ["[0:0] a\n[0:0] b\n[0:1] a\n[0:1] b\n", [2, 3, 2, 3]]);
});

onDevice("a size that is none is refused", ({ device }) => {
  const { attach } = withPrintf(`${MAIN} { }`);
  for (const bytes of [0, 12, 18, NaN, -4, 2 ** 50]) {
    assertThrows(() => attach(device, { bytes }), RangeError, `current value is ${bytes}`);
  }
});

onDevice("a ring of no use is freed without being read", async ({ device }) => {
  const ring: PrintfRing = withPrintf(`${MAIN} { }`).attach(device);
  await ring.destroy();
  await assertRejects(() => ring.printed());
});
