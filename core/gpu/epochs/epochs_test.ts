import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { Channel } from "../../toggle/channel.ts";
import { Server } from "../../toggle/server/server.ts";
import { Kernel } from "./kernel.ts";
import { INCREMENT, runKernel } from "./kernel_run_test.ts";
import { onDevice } from "../device/on_device_test.ts";

/** Each lane asks as often as its number says, and keeps the sum of the answers. */
const LOOP = /* wgsl */ `
struct Frame { count: u32, sum: u32 }
@group(1) @binding(0) var<storage, read_write> results: array<u32>;
fn me() -> u32 { return wave_index * LANE_COUNT + lane_index; }
fn step_0() {
  if frame.count == 1u + me() % 5u { go(2u); return; }
  packet_set(0u, me() * 100u + frame.count);
  call(${INCREMENT}u);
}
fn step_1() { frame.sum += reply(0u); frame.count++; go(0u); }
fn step_2() { results[me()] = frame.sum; }
`;

function loopSums(laneTotal: number): number[] {
  return Array.from({ length: laneTotal }, (_, me) => {
    const calls = Array.from({ length: 1 + me % 5 }, (_, count) => me * 100 + count + 1);
    return calls.reduce((sum, value) => sum + value, 0);
  });
}

onDevice("awaited readback gives the same results, for several kernels at once", async (gpu) => {
  const runs = [1, 2, 3].map(() =>
    runKernel(gpu, {
      source: LOOP,
      portCount: 2,
      laneCount: 2,
      waveCount: 3,
      resultWords: 6,
      readback: "awaited",
    })
  );
  for (const { results } of await Promise.all(runs)) assertEquals([...results], loopSums(6));
});

onDevice("a lost device ends the run with an error", async () => {
  const { requestGpuDevice } = await import("../device/device.ts");
  const own = await requestGpuDevice();
  const channel = Channel.create({ portCount: 1, laneCount: 1 });
  const source = `fn step_0() { call(${INCREMENT}u); go(0u); }`;
  const kernel = await Kernel.create(own, { channel, waveCount: 1, source });
  own.device.destroy();
  await own.device.lost;
  await assertRejects(
    () => kernel.runAsync(new Server(channel)),
    DOMException,
    "the device was lost",
  );
});

onDevice("a kernel that never ends can be advanced epoch by epoch", async (gpu) => {
  const channel = Channel.create({ portCount: 2, laneCount: 1 });
  const source = `fn step_0() { call(${INCREMENT}u); go(0u); }`;
  const kernel = await Kernel.create(gpu, { channel, waveCount: 2, source });
  const server = new Server(channel, { portWaiter: kernel.portWaiter });
  let served = 0;
  server.operatePort(INCREMENT, (port) => port.recv(() => served++));
  for (const epochCount of [3, 4]) await kernel.advanceAsync(server, epochCount);
  assertEquals(served, 14);
  await assertRejects(() => kernel.runAsync(server), TypeError, "running already");
  kernel.destroy();
});

onDevice("a run ends where its server wants no more", async (gpu) => {
  const channel = Channel.create({ portCount: 1, laneCount: 1 });
  const source = `fn step_0() { call(${INCREMENT}u); go(0u); }`;
  const kernel = await Kernel.create(gpu, { channel, waveCount: 1, source });
  const server = new Server(channel, { portWaiter: kernel.portWaiter });
  let served = 0;
  server.operatePort(INCREMENT, (port) => port.recv(() => served++));
  const { packetCount } = await kernel.runAsync({
    runOnce: () => server.runOnce(),
    runAll: () => server.runAll(),
    get hasEnded() {
      return served === 3;
    },
  });
  assertEquals([served, packetCount], [3, 3]);
  kernel.destroy();
});

onDevice("a run refuses a word that is no choice of refusals", async (gpu) => {
  const shape = { source: `fn step_0() {}`, portCount: 1, laneCount: 1, waveCount: 1 };
  const refusals = "Reject" as "reject";
  const run = () => runKernel(gpu, { ...shape, refusals });
  await assertRejects(run, TypeError, "current value is Reject; did you mean reject");
  const channel = Channel.create(shape);
  const kernel = await Kernel.create(gpu, { ...shape, channel });
  const server = new Server(channel);
  if (kernel.readback === "eager") {
    assertThrows(() => kernel.run(server, { refusals }), TypeError, "must be one of");
  }
  assertEquals((await kernel.runAsync(server)).packetCount, 0, "it can be run still");
  kernel.destroy();
});

onDevice("a timed kernel tells how long the device was at work", async (gpu) => {
  const source = `fn step_0() { if wave_index < 9u { call(${INCREMENT}u); } }`;
  const shape = { source, portCount: 2, laneCount: 1, waveCount: 40 }; // scarce: two dispatches
  const { report } = await runKernel(gpu, { ...shape, timed: true });
  const isTimed = gpu.device.features.has("timestamp-query");
  const seconds = report.kernelSeconds ?? 0;
  assertEquals([report.packetCount, seconds > 0], [9, isTimed]);
  assert(seconds < 60, "of the device's clock, and no other number");
  assertEquals("kernelSeconds" in (await runKernel(gpu, shape)).report, false);
});
