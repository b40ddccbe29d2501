import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { onDevice } from "../../device/on_device_test.ts";
import { type PrintfModule, withPrintf } from "../with_printf.ts";
import type { PrintfRing } from "./printf_ring.ts";
import type { PrintfFilter } from "./printf_filter.ts";
import type { PrintedCall } from "./ring_records.ts";

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
  groupCount = 1,
): void {
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  bind(pass);
  pass.dispatchWorkgroups(groupCount);
  pass.end();
  device.queue.submit([encoder.finish()]);
}

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

onDevice(
  "what several dispatches print comes together, and readings wait for each other",
  async ({ device }) => {
    const shader = withPrintf(`${MAIN} { printf("once "); }`);
    for (const options of [{}, { readback: "awaited" }]) {
      const { pipeline, ring } = await prepare(device, shader, options);
      for (let round = 0; round < 3; round++) {
        dispatch(device, pipeline, (pass) => ring.bind(pass, pipeline));
      }
      const reports = await Promise.all([ring.printed(), ring.printed()]);
      assertEquals(reports.map(({ text }) => text), ["once once once ", ""]);
      await ring.destroy();
    }
  },
);

onDevice(
  "lines come in the order of dispatches, of lanes in each, and with their labels",
  async ({ device }) => {
    const shader = withPrintf(`override turn = 0u;
    @compute @workgroup_size(2) fn main(@builtin(local_invocation_index) lane: u32) {
      printf("%u", turn);
    }`);
    const module = await shader.compile(device);
    const ring = shader.attach(device);
    for (const order of ["arrival", "invocation"] as const) {
      for (const turn of [1, 2, 3]) {
        const compute = { module, constants: { turn } };
        const pipeline = device.createComputePipeline({ layout: "auto", compute });
        dispatch(device, pipeline, (pass) => ring.bind(pass, pipeline, `turn ${turn}`));
      }
      const labels: string[] = [];
      const sink = (_: string, { dispatch }: PrintedCall) => labels.push(dispatch.label);
      assertEquals((await ring.printed({ order, sink })).text, "112233");
      assertEquals(labels, [1, 1, 2, 2, 3, 3].map((turn) => `turn ${turn}`));
    }
    const order = "arival" as "arrival";
    await assertRejects(() => ring.printed({ order }), TypeError, "did you mean arrival");
    await assertRejects(() => ring.printedBytes({ order }), TypeError, "invocation, arrival");
    await ring.destroy();
  },
);

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

onDevice("a lost device is said", async () => {
  const adapter = await navigator.gpu.requestAdapter();
  const device = await adapter!.requestDevice();
  const { pipeline, ring } = await prepare(device, withPrintf(`${MAIN} { printf("a"); }`));
  dispatch(device, pipeline, (pass) => ring.bind(pass, pipeline));
  assertEquals((await ring.printed()).text, "a");
  device.destroy();
  await assertRejects(() => ring.printed());
});

onDevice("a filter chooses lanes, workgroups and the first calls", async ({ device }) => {
  const shader = withPrintf(`@compute @workgroup_size(2)
    fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
      for (var i = 0; i < 2; i++) { printf("%u%u ", group.x, lane); }
      printf_if(lane == 1u, "odd ");
    }`);
  const { pipeline, ring } = await prepare(device, shader, { filter: { lane: 1 } });
  const run = async () => {
    dispatch(device, pipeline, (pass) => ring.bind(pass, pipeline), 2);
    return (await ring.printed()).text;
  };
  assertEquals(await run(), "01 01 odd 11 11 odd ");
  const cases: readonly (readonly [PrintfFilter, ...string[]])[] = [
    [{}, "00 00 01 01 odd 10 10 11 11 odd "],
    [{ workgroup: 1 }, "10 10 11 11 odd "],
    [{ workgroup: 1, lane: 0 }, "10 10 "],
    [{ pixel: [0, 0] }, "00 00 01 01 odd 10 10 11 11 odd "],
    [{ lane: 1, workgroup: 0, first: 1 }, "01 odd ", "01 odd "],
    [{ lane: 1, workgroup: 0, first: 1, per: "run" }, "01 odd ", ""],
  ];
  for (const [filter, ...wanted] of cases) {
    ring.setFilter(filter);
    for (const text of wanted) assertEquals(await run(), text, JSON.stringify(filter));
  }
  await ring.destroy();
});

onDevice("a ring grows until what was lost finds room, and goes on", async ({ device }) => {
  const shader = withPrintf(`${MAIN} { for (var i = 0; i < 99; i++) { printf("%d", i); } }`);
  const { pipeline, ring } = await prepare(device, shader, { bytes: 44, bytesMax: 4096 });
  const lost: number[] = [];
  for (let round = 0; round < 3; round++) {
    dispatch(device, pipeline, (pass) => ring.bind(pass, pipeline));
    lost.push((await ring.printed()).lostCount);
  }
  assertEquals(lost, [96, 0, 0]);
  assertEquals(ring.buffer.size > 99 * 12 && ring.buffer.size < 5000, true);
  await ring.destroy();
});
