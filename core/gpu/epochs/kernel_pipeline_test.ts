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
  await assertRejects(() => create("fn step_0() { nothing(); }"), KernelCompileError);
  const pipeline = await create("fn step_0() {}");
  assertEquals(pipeline.waveCount, 2);
  await assertRejects(() => create("fn step_0() {}"), TypeError, "a channel is the device's alone");
  pipeline.destroy();
});
