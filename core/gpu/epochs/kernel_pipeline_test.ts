import { assertEquals, assertRejects } from "@std/assert";
import { Channel } from "../../toggle/channel.ts";
import { onDevice } from "../device/on_device_test.ts";
import { KernelCompileError } from "../wgsl/kernel_compile.ts";
import { kernelSource } from "../wgsl/kernel_source.ts";
import { KernelPipeline } from "./kernel_pipeline.ts";

onDevice("KernelPipeline.create() gives the channel back when it fails", async (gpu) => {
  const channel = Channel.create({ portCount: 1, laneCount: 1 });
  const { layout } = channel;
  const create = (source: string) => {
    const options = { channel, waveCount: 2, source };
    return KernelPipeline.create(gpu, options, kernelSource(source, { layout }));
  };
  const usesBuffer = `@group(1) @binding(0) var<storage, read_write> results: array<u32>;
    fn step_0() { results[0] = 1u; }`;
  await assertRejects(() => create("fn step_0() { nothing(); }"), KernelCompileError);
  await assertRejects(() => create(usesBuffer), TypeError, "the i-th of the option buffers");
  const pipeline = await create("fn step_0() {}");
  assertEquals(pipeline.waveCount, 2);
  await assertRejects(() => create("fn step_0() {}"), TypeError, "a channel is the device's alone");
  pipeline.destroy();
});

onDevice("KernelPipeline.create() refuses more memory than the device has", async (gpu) => {
  const channel = Channel.create({ portCount: 1, laneCount: 64 });
  const { layout } = channel;
  const source = "fn step_0() { print(); }";
  const options = { channel, waveCount: 65_535, source };
  const large = kernelSource(source, { layout, streamBytes: 65_536 });
  const create = () => KernelPipeline.create(gpu, options, large);
  await assertRejects(create, RangeError, "the memory of 65535 waves");
});
