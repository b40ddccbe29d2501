import { assert, assertEquals, assertRejects } from "@std/assert";
import { INCREMENT, kernelBed, runKernel } from "./kernel_run_test.ts";
import { onDevice } from "../device/on_device_test.ts";

const ONE = { portCount: 1, laneCount: 1, waveCount: 1 };
const ENDLESS = `fn step_0() { call(${INCREMENT}u); go(0u); }`;

onDevice("awaited readback gives the same results, for several kernels at once", async (gpu) => {
  const source = `@group(1) @binding(0) var<storage, read_write> results: array<u32>;
    @service(${INCREMENT}) fn increment(x: u32) -> u32;
    fn kernel() {
      let me = wave_index * LANE_COUNT + lane_index;
      for (var x = 0u; x <= me; x++) { results[me] = increment(increment(x)); }
    }`;
  const shape = { portCount: 2, laneCount: 2, waveCount: 3, resultWords: 6 };
  const runs = [1, 2, 3].map(() => runKernel(gpu, { ...shape, source, readback: "awaited" }));
  for (const { results } of await Promise.all(runs)) assertEquals([...results], [2, 3, 4, 5, 6, 7]);
});

onDevice("a kernel that never ends can be advanced epoch by epoch", async (gpu) => {
  const shape = { portCount: 2, laneCount: 1, waveCount: 2 };
  using bed = await kernelBed(gpu, { ...shape, source: ENDLESS });
  const { kernel, server } = bed;
  let served = 0;
  server.operatePort(INCREMENT, (port) => port.recv(() => served++));
  for (const epochCount of [3, 4]) await kernel.advanceAsync(server, epochCount);
  assertEquals(served, 14);
  await assertRejects(() => kernel.runAsync(server), TypeError, "running already");
});

onDevice("a run ends where its server wants no more", async (gpu) => {
  using bed = await kernelBed(gpu, { ...ONE, source: ENDLESS });
  const { kernel, server } = bed;
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
