import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { Channel } from "../../toggle/channel.ts";
import { Server } from "../../toggle/server/server.ts";
import { Kernel } from "./kernel.ts";
import { INCREMENT, runKernel } from "./kernel_run_test.ts";
import { LOCK_NAMES } from "../wgsl/kernel_shape.ts";
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

for (const laneCount of [1, 3, 8, 33, 64]) {
  onDevice(`waves of ${laneCount} lanes call in loops of different lengths`, async (gpu) => {
    const waveCount = 6;
    const resultWords = waveCount * laneCount;
    const run = await runKernel(gpu, {
      source: LOOP,
      portCount: 8,
      laneCount,
      waveCount,
      resultWords,
    });
    assertEquals([...run.results], loopSums(resultWords));
    assertEquals(run.faults, []);
  });
}

for (const lock of LOCK_NAMES) {
  onDevice(`30 waves share 2 ports by ${lock}, and each comes to its end`, async (gpu) => {
    const shape = { portCount: 2, laneCount: 2, waveCount: 30, resultWords: 60 };
    const run = await runKernel(gpu, { ...shape, source: LOOP, lock });
    assertEquals([...run.results], loopSums(60));
    assert(run.report.starvedEpochCount > 0, "some went without a port for an epoch");
  });
}

onDevice("waves that are slices of a workgroup are at different steps", async (gpu) => {
  const shape = { portCount: 3, laneCount: 4, waveCount: 10, resultWords: 40, wavesPerGroup: 4 };
  const run = await runKernel(gpu, { ...shape, source: LOOP });
  assertEquals([...run.results], loopSums(40));
});

onDevice("a frame of aliases and computed lengths is kept from step to step", async (gpu) => {
  const source = /* wgsl */ `
    const HALF = 4u;
    alias List = array<u32, LANE_COUNT * (HALF << 1u)>;
    struct Frame { list: List, place: u32 }
    @group(1) @binding(0) var<storage, read_write> results: array<u32>;
    fn step_0() { packet_set(0u, frame.place); call(${INCREMENT}u); }
    fn step_1() {
      frame.list[frame.place] = reply(0u);
      frame.place++;
      if frame.place < 16u { go(0u); }
    }
    fn step_2() {
      for (var i = 0u; i < 16u; i++) { results[lane_index] += (i + 1u) * frame.list[i]; }
    }`;
  const shape = { portCount: 4, laneCount: 2, waveCount: 1, resultWords: 2 };
  const { results } = await runKernel(gpu, { ...shape, source });
  assertEquals([...results], [1496, 1496]);
});

onDevice("a lane that does not ask is not in the mask", async (gpu) => {
  const masks: number[][] = [];
  await runKernel(gpu, {
    portCount: 1,
    laneCount: 40,
    waveCount: 1,
    source: `fn step_0() {
      if lane_index == 3u || lane_index == 17u || lane_index == 35u { call(50000u); }
    }`,
    register: (server) =>
      server.operatePort(
        50_000,
        (port) => port.recv((packet) => masks.push([packet.mask.lo, packet.mask.hi])),
      ),
  });
  assertEquals(masks, [[(1 << 3) | (1 << 17), 1 << 3]]);
});

onDevice("lanes of a wave that ask for different opcodes call one after another", async (gpu) => {
  const seen: string[] = [];
  const note = (name: string) => (server: Server) =>
    server.operatePort(
      name === "odd" ? 50_001 : 50_000,
      (port) => port.recv((packet) => seen.push(`${name} ${packet.mask.lo}`)),
    );
  await runKernel(gpu, {
    portCount: 2,
    laneCount: 4,
    waveCount: 1,
    source: `fn step_0() { call(50000u + lane_index % 2u); }`,
    register: (server) => [note("even"), note("odd")].forEach((add) => add(server)),
  });
  assertEquals(seen, ["even 5", "odd 10"]);
});

onDevice("asynchronous calls cost no suspension", async (gpu) => {
  let served = 0;
  const { report } = await runKernel(gpu, {
    portCount: 64,
    laneCount: 1,
    waveCount: 4,
    searchAttempts: 64,
    source: `struct Frame { count: u32 }
      fn step_0() { if frame.count == 10u { go(END); return; } frame.count++; cast_call(50000u); go(0u); }`,
    register: (server) => server.operatePort(50_000, (port) => port.recv(() => served++)),
  });
  assertEquals({ served, epochs: report.epochCount }, { served: 40, epochs: 1 });
});

onDevice("a kernel without calls takes one epoch", async (gpu) => {
  const source = "fn step_0() {}";
  const { report } = await runKernel(gpu, { portCount: 1, laneCount: 1, waveCount: 1, source });
  assertEquals(report, {
    epochCount: 1,
    packetCount: 0,
    starvedEpochCount: 0,
    refusedCallCount: 0,
    badMailboxCount: 0,
  });
});

onDevice("a runaway kernel is stopped at its epoch limit", async (gpu) => {
  const source = `fn step_0() { call(${INCREMENT}u); go(0u); }`;
  const shape = { portCount: 1, laneCount: 1, waveCount: 1, epochsMax: 20 };
  const error = await assertRejects(
    () => runKernel(gpu, { ...shape, source }),
    DOMException,
    "within 20 epochs",
  );
  assertEquals(error.name, "TimeoutError");
});

onDevice("a kernel that never asks is stopped at its epoch limit too", async (gpu) => {
  const source = "fn step_0() { go(0u); }";
  const shape = { portCount: 1, laneCount: 1, waveCount: 1, epochsMax: 3, turnsMax: 2 };
  await assertRejects(
    () => runKernel(gpu, { ...shape, source }),
    DOMException,
    "its waves are limited",
  );
});

onDevice("a run can be aborted", async (gpu) => {
  const channel = Channel.create({ portCount: 1, laneCount: 1 });
  const source = `fn step_0() { call(${INCREMENT}u); go(0u); }`;
  const kernel = await Kernel.create(gpu, { channel, waveCount: 1, source });
  const server = new Server(channel, { portWaiter: kernel.portWaiter });
  server.operatePort(INCREMENT, (port) => port.recv(() => {}));
  const signal = AbortSignal.abort(new Error("enough"));
  await assertRejects(() => kernel.runAsync(server, { signal }), Error, "enough");
  kernel.destroy();
});

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
