import { assert, assertEquals, assertThrows } from "@std/assert";
import { Channel } from "../../toggle/channel.ts";
import { Server } from "../../toggle/server/server.ts";
import type { GpuDevice } from "../device/device.ts";
import { createReadback } from "../device/create_readback.ts";
import type { DeviceTask } from "../device/readback.ts";
import { EpochCycle } from "./epoch_cycle.ts";
import { kernelSource } from "../wgsl/kernel_source.ts";
import { KernelPipeline } from "./kernel_pipeline.ts";
import { INCREMENT, runKernel } from "./kernel_run_test.ts";
import { onDevice } from "../device/on_device_test.ts";

async function setUp(gpu: GpuDevice, parts: { channel: Channel; source: string }) {
  const source = kernelSource(parts.source, { layout: parts.channel.layout });
  const pipeline = await KernelPipeline.create(gpu, { ...parts, waveCount: 1 }, source);
  const bytes = pipeline.deviceChannel.readbackBytes();
  const readback = await createReadback(gpu.device, { bytes, readback: "awaited" });
  const cycle = new EpochCycle(pipeline, () => {});
  let readCount = 0;
  function* counted<T>(task: DeviceTask<T>): DeviceTask<T> {
    let step = task.next();
    for (; !step.done; step = task.next()) {
      readCount++;
      yield step.value;
    }
    return step.value;
  }
  return {
    cycle,
    next: () => readback.runAsync(counted(cycle.epoch())),
    readCount: () => readCount,
    destroy: () => [readback, pipeline].forEach((memory) => memory.destroy()),
  };
}

onDevice(
  "EpochCycle takes packets, and its wave waits until they are served",
  async (gpu) => {
    const channel = Channel.create({ portCount: 2, laneCount: 1 });
    const source = "fn step_0() { packet_set(0u, 5u); call(50000u); }";
    const { cycle, next, readCount, destroy } = await setUp(gpu, { channel, source });
    const server = new Server(channel);
    const seen: number[] = [];
    server.operatePort(50_000, (port) => port.recv((packet) => seen.push(packet.getUint32(0, 0))));
    cycle.start(10);
    assertEquals(
      [await next(), cycle.isActive],
      [1, true],
      "the wave has sent and waits",
    );
    assertEquals([await next(), cycle.isActive], [0, true], "nobody has served it");
    assertEquals(server.runAll(), 1);
    assertEquals([await next(), cycle.isActive], [0, false], "the wave has finished");
    assertEquals(seen, [5]);
    assertEquals(cycle.report("reject").epochCount, 3);
    assertEquals(readCount(), 3, "the first port alone is copied out, once an epoch");
    destroy();
  },
);

onDevice(
  "EpochCycle begins no run while waves of one that was given up hold ports",
  async (gpu) => {
    const channel = Channel.create({ portCount: 2, laneCount: 1 });
    const source = "fn step_0() { call(50000u); }";
    const { cycle, next, destroy } = await setUp(gpu, { channel, source });
    cycle.start(10);
    await next();
    cycle.stop();
    assertThrows(() => cycle.start(10), TypeError, "its last run ended with calls under way");
    destroy();
  },
);

onDevice("EpochCycle copies further when a port beyond its bound was used", async (gpu) => {
  const channel = Channel.create({ portCount: 256, laneCount: 1 });
  const source = `struct Frame { count: u32 }
    fn step_0() { if frame.count < 20u { frame.count++; cast_call(50000u); go(0u); } else { go(END); } }`;
  const { cycle, next, readCount, destroy } = await setUp(gpu, { channel, source });
  cycle.start(10);
  assertEquals(await next(), 20, "one wave was expected to use one port");
  assertEquals(readCount(), 2);
  destroy();
});

onDevice(
  "a wave uses the same few ports again, epoch after epoch, while there are enough",
  async (gpu) => {
    const source = /* wgsl */ `
    struct Frame { count: u32 }
    fn step_0() { cast_call(${INCREMENT}u); }
    fn step_1() { call(${INCREMENT}u); }
    fn step_2() { frame.count++; if frame.count < 4u { go(0u); } }
  `;
    const indexes = new Set<number>();
    const shape = { portCount: 16, laneCount: 1, waveCount: 1, searchAttempts: 3 };
    const { report } = await runKernel(gpu, {
      ...shape,
      source,
      register: (server) =>
        server.operatePort(INCREMENT, (port) => {
          indexes.add(port.index);
          port.recv(() => {});
        }),
    });
    assert(report.epochCount > 3, "each call waits for the next epoch");
    assertEquals([...indexes].toSorted(), [0, 1]);
  },
);
