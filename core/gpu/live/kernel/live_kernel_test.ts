import { assertEquals, assertRejects } from "@std/assert";
import { CallError } from "../../../call/call_error.ts";
import { TestOpcode } from "../../../testing/conformance/services.ts";
import type { ProgramStart } from "../../../testing/gpu/program_worker.ts";
import { Client } from "../../../toggle/client/client.ts";
import { ChannelState } from "../../../toggle/layout.ts";
import { snapshotPort } from "../../../toggle/port_snapshot.ts";
import { startServer } from "../../../worker/start_server.ts";
import { until } from "../../../testing/conformance/test_bed.ts";
import { WorkerLink } from "../../../worker/worker_link.ts";
import { onLiveDevice } from "../device/on_live_device_test.ts";
import { LiveBed } from "./live_bed_test.ts";

const GPU_TESTS = new URL("../../../testing/gpu/", import.meta.url);
const SERVICES = new URL("services.ts", GPU_TESTS);

/** Calls `increment` as often as `times` says; the result is how many answers were wrong. */
function counting(times: number): string {
  return `
    @group(1) @binding(0) var<storage, read_write> wrong: array<u32>;
    @service(${TestOpcode.increment}) fn increment(nonce: u32) -> u32;
    fn kernel() {
      let me = wave_index * LANE_COUNT + lane_index;
      var nonce = me * 2654435761u;
      var wrong_count = 0u;
      for (var time = 0u; time < ${times}u; time++) {
        let answer = increment(nonce);
        if answer != nonce + 1u { wrong_count++; }
        nonce = answer * 1664525u + time;
      }
      wrong[me] = wrong_count + 1u;
    }`;
}

/** Calls until the host answers 0. */
const CALLS_ON = `
  @group(1) @binding(0) var<storage, read_write> unused: array<u32>;
  @service(${TestOpcode.count}) fn count_on(x: u32) -> u32;
  fn kernel() {
    loop { if count_on(1u) == 0u { break; } }
    unused[0] = 1u;
  }`;

/** Every port is free, and a client in this thread gets its answers. */
function assertUsable(bed: LiveBed): void {
  const { channel } = bed;
  const { portCount } = channel.layout;
  const server = bed.server();
  const ports = Array.from({ length: portCount }, () => new Client(channel).open(40_000));
  const sent = ports.map((port, at) => port.send((packet) => packet.setUint32(0, 0, at)));
  assertEquals(server.runAll(), portCount);
  sent.forEach((port, at) =>
    port.recv((packet) => assertEquals(packet.getUint32(0, 0), at + 1)).close()
  );
}

onLiveDevice("100 000 calls of a wave each get their own answer", async (device) => {
  const bed = new LiveBed(device, { portCount: 1, laneCount: 1 });
  const { kernel, results } = await bed.kernel({ source: counting(100_000), waveCount: 1 });
  const { packetCount } = await kernel.runAsync(bed.server());
  assertEquals([results[0], packetCount], [1, 100_000]);
  assertUsable(bed);
});

onLiveDevice("waves share ports with clients in Workers, whoever serves them", async (device) => {
  const shape = { portCount: 3, laneCount: 4 };
  const bed = new LiveBed(device, shape);
  const { kernel, results } = await bed.kernel({
    source: counting(300),
    waveCount: 6,
    resultWords: 24,
  });
  const server = await startServer(bed.channel, { services: [SERVICES], waiter: "adaptive" });
  await using clients = new AsyncDisposableStack();
  const links = [0, 1].map(() => {
    const link = new WorkerLink<ProgramStart>(new URL("program_worker.ts", GPU_TESTS));
    clients.defer(async () => void await link.terminate());
    return link;
  });
  const { handle } = bed.channel;
  const counted = links.map((link) =>
    link.ask<Int32Array>({ handle, program: "laneIds", waveCount: 20 })
  );
  const { packetCount } = await kernel.runAsync(bed.server());
  assertEquals([...results], new Array(24).fill(1));
  assertEquals(packetCount, 1800);
  // 50 increments of lane + repetition.
  const sums = [0, 1, 2, 3].map((lane) => 50 * (lane + 1) + 49 * 25);
  for (const found of await Promise.all(counted)) {
    assertEquals([...found], Array.from({ length: 20 }, () => sums).flat());
  }
  assertEquals((await server.terminate()).hasLeft, true);
});

onLiveDevice(
  "a client that sleeps until a port is free is woken, though waves cannot notify",
  async (device) => {
    const bed = new LiveBed(device, { portCount: 1, laneCount: 1 });
    const { channel } = bed;
    const { kernel } = await bed.kernel({ source: CALLS_ON, waveCount: 1 });
    const server = bed.server();
    let release: () => void = () => {};
    server.operateAsync(TestOpcode.count, async (packet) => {
      await new Promise<void>((resolve) => release = resolve);
      packet.setUint32(0, 0, 0);
    });
    const client = new Client(channel);
    const isWaited = () =>
      (channel.words.load(channel.layout.clientLockWord) & ~kernel.clientId) !== 0;
    for (let time = 0; time < 3; time++) {
      const run = kernel.runAsync(server);
      await until(() => server.isBusy);
      const work = { fill: () => {}, use: () => {} };
      let isServed = false;
      const call = client.callAsync(TestOpcode.increment, work, { timeoutSeconds: 10 })
        .then(() => isServed = true);
      await until(isWaited);
      release();
      await run;
      await until(() => server.runOnce() || isServed);
      await call;
    }
  },
);

onLiveDevice("a run is not over before its last line was served", async (device) => {
  const bed = new LiveBed(device, { portCount: 1, laneCount: 1 });
  const source = `fn kernel() { printf("the last\\n"); }`;
  const { kernel } = await bed.kernel({ source, waveCount: 1 });
  let isOver = false;
  const run = kernel.runAsync(undefined, { refusals: "count" }).finally(() => isOver = true);
  const pass = () => new Promise((resolve) => setTimeout(resolve, 1));
  for (let time = 0; time < 50; time++) await pass();
  assertEquals(isOver, false);
  const server = bed.server();
  while (!isOver) {
    server.runOnce();
    await pass();
  }
  assertEquals((await run).refusedCallCount, 1);
});

onLiveDevice(
  "waves that wait end by a signal and by roundsMax, and give their ports back",
  async (device) => {
    const bed = new LiveBed(device, { portCount: 2, laneCount: 4 });
    const { kernel } = await bed.kernel({ source: CALLS_ON, waveCount: 5 });
    const run = kernel.runAsync(undefined, { signal: AbortSignal.timeout(20) });
    await assertRejects(() => kernel.runAsync(), TypeError, "as it runs already");
    await assertRejects(() => run, DOMException, "timeout");
    const locks = [0, 1].map((index) => snapshotPort(bed.channel, index).clientLock);
    assertEquals(locks, [0, 0]);
    // The packets are with the server: whoever comes next leaves them there.
    await assertRejects(
      () => kernel.runAsync(undefined, { roundsMax: 10_000 }),
      DOMException,
      "Cannot finish the kernel as 5 of 5 waves waited for longer than roundsMax",
    );
    // What was sent is served, and its reply dropped.
    assertEquals(bed.server().runAll(), 2);
    assertUsable(bed);
    await assertRejects(
      () => kernel.runAsync(undefined, { roundsMax: 1 }),
      RangeError,
      "roundsMax",
    );
  },
);

onLiveDevice(
  "waves end with their channel, whether it is shut down or its last server ends",
  async (device) => {
    for (const way of ["shutDown", "crash"] as const) {
      const bed = new LiveBed(device, { portCount: 1, laneCount: 1 });
      const { kernel } = await bed.kernel({ source: CALLS_ON, waveCount: 2 });
      const leaving = "data:text/javascript," + encodeURIComponent(`
      let count = 0;
      export const addServices = (server) => server.operate(${TestOpcode.count}, (packet) => {
        packet.setUint32(0, 0, 1);
        if (++count === 50 && ${way === "crash"}) Deno.exit(3);
      });`);
      const server = await startServer(bed.channel, { services: [leaving] });
      server.done.catch(() => {});
      const run = kernel.runAsync();
      if (way === "shutDown") setTimeout(() => bed.channel.shutDown(), 20);
      await assertRejects(() => run, CallError, "the server was shut down");
      assertEquals(bed.channel.state, ChannelState.stopped);
      await server.terminate();
    }
  },
);

onLiveDevice(
  "a server that leaves under a running kernel is replaced by another",
  async (device) => {
    const bed = new LiveBed(device, { portCount: 2, laneCount: 1 });
    const { kernel, results } = await bed.kernel({
      source: counting(3000),
      waveCount: 4,
      resultWords: 4,
    });
    const services = [SERVICES];
    let server = await startServer(bed.channel, { services });
    const run = kernel.runAsync();
    for (let time = 0; time < 2; time++) {
      const next = await startServer(bed.channel, { services });
      assertEquals((await server.terminate()).hasLeft, true);
      server = next;
    }
    await run;
    assertEquals([...results], [1, 1, 1, 1]);
    await server.terminate();
  },
);

onLiveDevice("LiveKernel.create() says what does not fit", async (device) => {
  const other = new LiveBed(device, { portCount: 1, laneCount: 1, mailboxRead: "outbox" });
  await assertRejects(
    () => other.kernel({ source: CALLS_ON, waveCount: 1 }),
    RangeError,
    "Cannot use the channel on a GPU as mailboxRead must be turn",
  );
  const { subgroupLaneCount } = device.info;
  const wide = new LiveBed(device, { portCount: 1, laneCount: subgroupLaneCount + 1 });
  await assertRejects(
    () => wide.kernel({ source: CALLS_ON, waveCount: 1, wave: "subgroup" }),
    RangeError,
    `laneCount must be at most the ${subgroupLaneCount} lanes of one on`,
  );
});
