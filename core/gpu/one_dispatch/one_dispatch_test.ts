import { assert, assertEquals, assertRejects } from "@std/assert";
import type { GpuDevice } from "../device/device.ts";
import { KernelCompileError } from "../wgsl/kernel_compile.ts";
import type { OneDispatchReport } from "./one_dispatch_parts.ts";
import { OneDispatch, type OneDispatchOptions } from "./one_dispatch.ts";
import { LOCK_NAMES } from "../wgsl/kernel_shape.ts";
import { compilingAs, onDevice } from "../device/on_device_test.ts";
import { createOwnBuffer, readOwnBuffer } from "../device/own_buffer.ts";
import { READBACK_NAMES } from "../device/readback.ts";

const COUNT_UP = `
  var<private> count: u32;
  fn client_fill() -> bool { packet_set(0u, count); return count < dispatch.calls_per_wave; }
  fn client_use() { count = packet_get(0u); }
  fn client_end() {}
  fn serve(opcode: u32) { packet_set(0u, packet_get(0u) + 1u); }`;

/** A server's lane that spins. */
const SLOW = `fn slow(count: u32) -> u32 {
    var value = packet_get(0u);
    for (var step = 0u; step < count; step++) { value = value * 3u + step; }
    return value;
  }`;

async function runCalls(
  gpu: GpuDevice,
  options: Omit<OneDispatchOptions, "source"> & { source?: string },
  calls: number,
) {
  const program = await OneDispatch.create(gpu, { source: COUNT_UP, ...options });
  try {
    return await program.runAsync(calls);
  } finally {
    program.destroy();
  }
}

/**
 * That 20 calls of each client are answered. No progress is a result, not a failure of the protocol; but two
 * workgroups on SwiftShader are known to run side by side.
 */
function assertAnswered(
  gpu: GpuDevice,
  { report: { madeProgress, callCount, detail }, clientCount }: {
    readonly report: OneDispatchReport;
    readonly clientCount: number;
  },
): void {
  if (clientCount === 1 && gpu.adapterName.startsWith("SwiftShader")) assert(madeProgress, detail);
  if (madeProgress) assertEquals(callCount, 20 * clientCount, detail);
  else assert(detail.startsWith("No progress on this adapter"), detail);
}

for (const lock of LOCK_NAMES) {
  for (const [portCount, laneCount, clientCount] of [[1, 1, 1], [4, 8, 3], [2, 64, 6]] as const) {
    onDevice(
      `waves: ${clientCount} waves of ${laneCount} call through ${portCount} ports by ${lock}`,
      async (gpu) => {
        const report = await runCalls(
          gpu,
          { portCount, laneCount, clientCount, lock },
          20,
        );
        assertAnswered(gpu, { report, clientCount });
      },
    );
  }
}

const SESSIONS = `
  var<private> calls: u32;
  var<private> value: u32;
  fn client_fill() -> bool {
    if session_turn == 0u { value = 1000u * wave_index + lane_index; }
    packet_set(0u, value);
    return calls < dispatch.calls_per_wave;
  }
  fn client_use() {
    value = packet_get(0u);
    if session_turn < 3u { another_turn(); return; }
    // The server has added 1, 2, 3 and 4.
    calls += select(1000000u, 1u, value == 1000u * wave_index + lane_index + 10u);
  }
  fn client_end() { if calls > dispatch.calls_per_wave { add_to_report(DISPATCH_LOST_WORD, calls); } }
  var<private> added: u32;
  fn serve(opcode: u32) {
    added = select(added + 1u, 1u, session_turn == 0u);
    packet_set(0u, packet_get(0u) + added);
    if session_turn < 3u { another_turn(); }
  }`;

for (const [portCount, laneCount, clientCount] of [[1, 1, 1], [2, 8, 3], [4, 1, 6]] as const) {
  onDevice(
    `waves: ${clientCount} waves of ${laneCount} have sessions of four turns on ${portCount} ports`,
    async (gpu) => {
      const shape = { portCount, laneCount, clientCount, source: SESSIONS };
      const report = await runCalls(gpu, shape, 20);
      assertAnswered(gpu, { report, clientCount });
      // A lane that got a wrong value has put a large number into the report.
      assertEquals(report.lostCount <= clientCount + 1, true, report.detail);
    },
  );
}

onDevice("waves: lanes that ask for different things go apart, casts last", async (gpu) => {
  // Lanes 0 and 2 ask for 7, lane 1 for 5, lane 3 casts: three sessions.
  const source = `
    var<private> is_done: bool;
    fn client_fill() -> bool {
      call(select(7u, 5u, lane_index == 1u));
      if lane_index == 3u { no_reply(); }
      packet_set(0u, 0u);
      let asks = !is_done;
      is_done = true;
      return asks;
    }
    fn client_use() {
      let opcode = select(7u, 5u, lane_index == 1u);
      if packet_get(0u) != opcode { add_to_report(DISPATCH_LOST_WORD, 1000u); }
    }
    fn client_end() {}
    fn serve(opcode: u32) { packet_set(0u, opcode); }`;
  const shape = { portCount: 2, laneCount: 4, clientCount: 1, source };
  const { madeProgress, callCount, lostCount, detail } = await runCalls(gpu, shape, 1);
  if (madeProgress) assertEquals(callCount, 3, detail);
  else assertEquals(lostCount < 1000, true, detail);
});

onDevice("waves: casts are served, though their client has nothing more to do", async (gpu) => {
  const buffer = createOwnBuffer(gpu, 4);
  // The server is slow: the client has cast on every port before the first is served.
  const source = `
    @group(1) @binding(0) var<storage, read_write> served: array<u32>;
    var<private> casts: u32;
    fn client_fill() -> bool {
      no_reply();
      casts++;
      return casts <= dispatch.calls_per_wave;
    }
    fn client_use() {}
    fn client_end() {}
    ${SLOW}
    fn serve(opcode: u32) { served[0] += select(1u, 2u, slow(300000u) == 12345u); }`;
  const shape = { portCount: 4, laneCount: 1, clientCount: 1, buffers: [{ buffer }], source };
  const { madeProgress, detail } = await runCalls(gpu, shape, 4);
  const [served] = new Uint32Array(await readOwnBuffer(gpu, buffer));
  buffer.destroy();
  if (madeProgress) assertEquals(served, 4, detail);
});

const ONE = { portCount: 1, laneCount: 1, clientCount: 1 };
const CLIENT = "var<private> calls: u32; fn client_end() {}";

/** What is lost, and neither answered nor a hang. */
const LOST: readonly (readonly [what: string, shape: object, source: string])[] = [
  // The server's lane spins for longer than the client looks.
  [
    "a call that is not answered within the bound",
    { spinsMax: 50 },
    COUNT_UP.replace("packet_get(0u) + 1u", "slow(30000000u)") + SLOW,
  ],
  // The second wave begins at the second port, and the server is slower than it looks.
  [
    "a cast that is not served within the bound, on whatever port",
    { portCount: 2, clientCount: 2, spinsMax: 50 },
    `${CLIENT} ${SLOW} fn client_use() {}
    fn client_fill() -> bool {
      no_reply();
      calls++;
      return wave_index == 1u && calls <= dispatch.calls_per_wave;
    }
    fn serve(opcode: u32) { packet_set(0u, slow(300000u)); }`,
  ],
  ...([["client", 1, 2], ["server", 2, 1]] as const).map(([side, clientTurns, serverTurns]) =>
    [
      `a session that the ${side} leaves early`,
      { spinsMax: 5_000_000 },
      `${CLIENT} fn client_fill() -> bool { return calls < dispatch.calls_per_wave; }
      fn client_use() { if session_turn + 1u < ${clientTurns}u { another_turn(); } else { calls++; } }
      fn serve(opcode: u32) { if session_turn + 1u < ${serverTurns}u { another_turn(); } }`,
    ] as const
  ),
];

for (const [what, shape, source] of LOST) {
  onDevice(`waves: ${what} is lost, not a hang`, async (gpu) => {
    const { madeProgress, lostCount, detail } = await runCalls(
      gpu,
      { ...ONE, ...shape, source },
      1,
    );
    assertEquals([madeProgress, lostCount], [false, 1], detail);
  });
}

onDevice("waves: a wave that the adapter cuts off in its loop is reported", async (gpu) => {
  // As Mesa's llvmpipe does after 65 535 rounds, whatever the loop's condition says.
  const cut = "for (var round = 0u; round < 7u; round++) {";
  const device = compilingAs(gpu.device, (code) => code.replace("while goes_on {", cut));
  const cutting = { ...gpu, device, lostReason: undefined };
  const { callCount, lostCount, cutOffCount, madeProgress } = await runCalls(cutting, ONE, 20);
  assertEquals([cutOffCount, madeProgress], [1, false]);
  if (lostCount === 0) assertEquals(callCount, 7);
});

onDevice(
  "waves: the dispatch is timed by the device's own clock, where it has one",
  async (gpu) => {
    const { dispatchSeconds } = await runCalls(gpu, ONE, 5);
    const canTell = gpu.device.features.has("timestamp-query");
    assertEquals(dispatchSeconds !== undefined, canTell);
    if (dispatchSeconds !== undefined) {
      assertEquals(dispatchSeconds > 0 && dispatchSeconds < 60, true);
    }
  },
);

onDevice("OneDispatch.create() refuses what it cannot make", async (gpu) => {
  const beyond = {
    clientCount: [0, 32_001],
    serverCount: [0, 501],
    wordCount: [0, 16],
    spinsMax: [0, 2 ** 32],
  };
  for (const [name, values] of Object.entries(beyond)) {
    for (const value of values) {
      await assertRejects(() => runCalls(gpu, { ...ONE, [name]: value }, 1), RangeError, name);
    }
  }
  const source = COUNT_UP.replace("packet_get(0u) + 1u", "nothing()");
  const error = await assertRejects(
    () => runCalls(gpu, { ...ONE, source }, 1),
    KernelCompileError,
  );
  assertEquals(error.line, 6);
});

for (const readback of READBACK_NAMES) {
  onDevice(`waves: what the device refuses is no report, ${readback}`, async (gpu) => {
    const buffer = createOwnBuffer(gpu, 16);
    const source = `
      @group(1) @binding(0) var<storage, read_write> words: array<u32, 4>;
      fn client_fill() -> bool { words[0]++; return false; }
      fn client_use() {}
      fn client_end() {}
      fn serve(opcode: u32) {}`;
    const options = { ...ONE, buffers: [{ buffer }], source, readback };
    const program = await OneDispatch.create(gpu, options);
    assertEquals((await program.runAsync(0)).madeProgress, true);
    await Promise.all([program.runAsync(0), program.runAsync(0)]);
    assertEquals(new Uint32Array(await readOwnBuffer(gpu, buffer))[0], 3);
    buffer.destroy();
    const run = () => program.runAsync(0);
    await assertRejects(
      run,
      DOMException,
      "Cannot run the one-dispatch program as the device refused it",
    );
    program.destroy();
    await assertRejects(run, TypeError, "as its memory was destroyed");
  });
}
