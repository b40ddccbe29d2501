import { assertEquals, assertRejects } from "@std/assert";
import { BoundPipeline, type KernelBuffer } from "./bound_pipeline.ts";
import { createReadback } from "./create_readback.ts";
import { onDevice } from "./on_device_test.ts";
import type { DeviceTask } from "./readback.ts";

const CODE = /* wgsl */ `
@group(0) @binding(0) var<storage, read_write> sum: u32;
@group(1) @binding(0) var<uniform> first: vec4u;
@group(1) @binding(1) var<storage, read_write> second: u32;
@compute @workgroup_size(1) fn main() { sum = first.x + second; }`;

function setUp(device: GPUDevice) {
  const { STORAGE, UNIFORM, COPY_SRC, COPY_DST } = GPUBufferUsage;
  const storage = (): GPUBuffer =>
    device.createBuffer({ size: 4, usage: STORAGE | COPY_SRC | COPY_DST });
  const first = device.createBuffer({ size: 16, usage: UNIFORM | COPY_DST });
  const [sum, second] = [storage(), storage()];
  device.queue.writeBuffer(first, 0, Uint32Array.of(40, 0, 0, 0));
  device.queue.writeBuffer(second, 0, Uint32Array.of(2));
  const module = device.createShaderModule({ code: CODE });
  const create = (own: readonly KernelBuffer[]) =>
    BoundPipeline.create(device, { module }, [[{ buffer: sum }], own]);
  return { sum, first, second, create };
}

onDevice("BoundPipeline binds the i-th buffer of the i-th list", async ({ device }) => {
  const { sum, first, second, create } = setUp(device);
  const pipeline = await create([{ buffer: first, type: "uniform" }, { buffer: second }]);
  const readback = await createReadback(device, { bytes: 4, readback: "awaited" });
  const add = function* (): DeviceTask<number> {
    let result = 0;
    yield {
      what: "add",
      encode: (encoder, copyOut) => {
        pipeline.encode(encoder, 1);
        copyOut(sum, 0, 0, 4);
      },
      use: (words) => result = words[0]!,
    };
    return result;
  };
  assertEquals(await readback.runAsync(add()), 42);
  for (const memory of [sum, first, second, readback]) memory.destroy();
});

onDevice("BoundPipeline.create() says which buffer is missing or wrong", async ({ device }) => {
  const { sum, first, second, create } = setUp(device);
  await assertRejects(
    () => create([{ buffer: first, type: "uniform" }]),
    TypeError,
    "must be the i-th of the option buffers",
  );
  await assertRejects(() => create([{ buffer: first }, { buffer: second }]), TypeError, "refuses");
  for (const memory of [sum, first, second]) memory.destroy();
});

onDevice("BoundPipeline.create() leaves no error scope behind", async ({ device }) => {
  const { sum, first, second, create } = setUp(device);
  device.pushErrorScope("validation");
  await assertRejects(() => create([]), TypeError);
  await assertRejects(() => create([{ buffer: first }, { buffer: second }]), TypeError);
  assertEquals(await device.popErrorScope(), null);
  await assertRejects(() => device.popErrorScope(), DOMException, "", "the stack was empty");
  for (const memory of [sum, first, second]) memory.destroy();
});
