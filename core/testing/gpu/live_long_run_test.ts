/**
 * Live waves as clients for as long as one wants: `LIVE_CALLS=10000000 deno test -A
 * --preload=bench/adapters/software_gpu.ts core/testing/gpu/live_long_run_test.ts`
 */
import { assertEquals, assertRejects } from "@std/assert";
import { onLiveDevice } from "../../gpu/live/device/on_live_device_test.ts";
import { LiveBed } from "../../gpu/live/kernel/live_bed_test.ts";
import { Client } from "../../toggle/client/client.ts";
import { snapshotPort } from "../../toggle/port_snapshot.ts";
import { Server } from "../../toggle/server/server.ts";
import { startServer } from "../../worker/start_server.ts";
import { echoOnce } from "../conformance/wave_programs.ts";
import { addServices, increment, TestOpcode } from "../conformance/services.ts";

/** Calls of all waves together, in the first test. */
const CALLS = Number(Deno.env.get("LIVE_CALLS") ?? 5000);
/** How long a server serves before another takes its place, in milliseconds. */
const SERVING_MILLISECONDS = Deno.env.get("LIVE_CALLS") ? 500 : 0;
const SERVICES = new URL("../conformance/services.ts", import.meta.url);

/**
 * Each lane calls with a nonce that follows from the last answer, and counts wrong answers: `results` has
 * one more than that for each lane that has finished.
 */
function withNonces(times: number): string {
  return `
    @group(1) @binding(0) var<storage, read_write> results: array<u32>;
    @service(${TestOpcode.increment}) fn increment(nonce: u32) -> u32;
    fn kernel() {
      let me = wave_index * LANE_COUNT + lane_index;
      var nonce = (me + 1u) * 2654435761u;
      var wrong = 0u;
      for (var time = 0u; time < ${times}u; time++) {
        let answer = increment(nonce);
        if answer != nonce + 1u { wrong++; }
        nonce = answer * 1664525u + 1013904223u;
      }
      results[me] = wrong + 1u;
    }`;
}

onLiveDevice(
  `${CALLS} calls with a nonce, while servers come and go, are answered right`,
  async (device) => {
    // One, as waves of a software adapter take a processor each, and the server needs one, too.
    const waveCount = 1;
    const bed = new LiveBed(device, { portCount: 3, laneCount: 1 });
    const times = Math.ceil(CALLS / waveCount);
    const { kernel, results } = await bed.kernel({
      source: withNonces(times),
      waveCount,
      resultWords: waveCount,
    });
    const services = [SERVICES];
    let server = await startServer(bed.channel, { services });
    let isOver = false;
    const run = kernel.runAsync().finally(() => isOver = true);
    let restartCount = 0;
    while (!isOver || restartCount === 0) {
      const next = await startServer(bed.channel, { services });
      assertEquals((await server.terminate({ timeoutSeconds: 10 })).hasLeft, true);
      server = next;
      restartCount++;
      await new Promise((resolve) => setTimeout(resolve, SERVING_MILLISECONDS));
    }
    const { packetCount, refusedCallCount } = await run;
    await server.terminate();
    assertEquals([packetCount, refusedCallCount], [times * waveCount, 0]);
    assertEquals([...results], new Array(waveCount).fill(1));
    if (Deno.env.get("LIVE_CALLS")) console.log(`servers were replaced ${restartCount} times`);
  },
);

onLiveDevice("1024 waves of 64 lanes each get their own answers by 5 ports", async (device) => {
  const shape = { portCount: 5, laneCount: 64 };
  const waveCount = 1024;
  const bed = new LiveBed(device, shape);
  const { kernel, results } = await bed.kernel({
    source: withNonces(1),
    waveCount,
    resultWords: waveCount * shape.laneCount,
  });
  const server = new Server(bed.channel, { waiter: "spin" });
  server.operate(TestOpcode.increment, increment);
  const { packetCount } = await kernel.runAsync(server);
  assertEquals(packetCount, waveCount);
  assertEquals(results.every((result) => result === 1), true);
});

onLiveDevice("a server that dies takes the call it works on, and no other", async (device) => {
  const bed = new LiveBed(device, { portCount: 2, laneCount: 1 });
  const { channel } = bed;
  const times = 200;
  const source = `
    @group(1) @binding(0) var<storage, read_write> results: array<u32>;
    @service(${TestOpcode.increment}) fn increment(nonce: u32) -> u32;
    @service(${TestOpcode.fails}) fn die(x: u32) -> u32;
    fn kernel() {
      if wave_index == 0u { _ = die(1u); }
      var right = 0u;
      for (var time = 0u; time < ${times}u; time++) {
        if increment(time) == time + 1u { right++; }
      }
      results[wave_index] = right;
    }`;
  const { kernel, results } = await bed.kernel({ source, waveCount: 3, resultWords: 3 });
  const mortal = "data:text/javascript," + encodeURIComponent(`
    export const addServices = (server) => server.operateAsync(${TestOpcode.fails}, () =>
      new Promise(() => setTimeout(() => { throw new Error("died in a call"); })));`);
  new Server(channel).announce(); // the dying one is not the last, with which the channel would end
  const dying = await startServer(channel, { services: [SERVICES, mortal] });
  const run = kernel.runAsync(undefined, { refusals: "count" });
  await assertRejects(() => dying.done, Error, "died in a call");
  const staying = await startServer(channel, { services: [SERVICES] });
  const { refusedCallCount } = await run;
  assertEquals([refusedCallCount, [...results]], [1, [times, times, times]]);
  await staying.terminate();
});

onLiveDevice(
  "a wave that leaves in the middle of an exchange leaves its port to others",
  async (device) => {
    const bed = new LiveBed(device, { portCount: 1, laneCount: 2 });
    const { channel } = bed;
    // The wave has sent one packet of a stream that it never finishes, as it is told to leave.
    const { kernel } = await bed.kernel({
      source: `
        @group(1) @binding(0) var<storage, read_write> results: array<u32>;
        fn step_0() {
          for (var word = 0u; word < 50u; word++) { put_word(word, 4u); }
          exchange_streams(${TestOpcode.echo}u);
        }
        fn step_1() { results[0] = stream_length(); }`,
      waveCount: 1,
    });
    const clientTimeoutSeconds = 0.05;
    const server = new Server(channel, { waiter: "spin", clientTimeoutSeconds });
    addServices(server);
    await kernel.runAsync(server);
    const lateRun = kernel.runAsync(undefined, { signal: AbortSignal.timeout(20) });
    await lateRun.catch((error: Error) => assertEquals(error.name, "TimeoutError"));
    assertEquals(snapshotPort(channel, 0).clientLock, 0);
    assertEquals(server.runAll(), 1);
    assertEquals(snapshotPort(channel, 0).serverLock, 0);
    const worker = await startServer(channel, { services: [SERVICES] });
    echoOnce(new Client(channel), [new Uint8Array(300).fill(7), new Uint8Array(5)]);
    await worker.terminate();
  },
);
