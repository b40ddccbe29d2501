import { assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import { CallError } from "../../call/call_error.ts";
import type { Packet } from "../../memory/packet.ts";
import { Status } from "../../memory/status.ts";
import { Channel } from "../../toggle/channel.ts";
import { Client } from "../../toggle/client/client.ts";
import { Server } from "../../toggle/server/server.ts";
import { onDevice } from "../device/on_device_test.ts";
import { INCREMENT, kernelBed, runKernel } from "./kernel_run_test.ts";
import { KernelError, KernelErrorCode } from "../wgsl/kernel_error.ts";
import { RunTotals } from "./epoch_report.ts";

Deno.test("RunTotals.report() adds up what came", () => {
  const totals = new RunTotals();
  totals.addEpoch({ packetCount: 3, isStarved: true });
  totals.addEpoch({ packetCount: 4, isStarved: false });
  totals.addBadMailbox();
  assertEquals(totals.report(2, { refusals: "reject" }), {
    epochCount: 2,
    packetCount: 7,
    starvedEpochCount: 1,
    refusedCallCount: 0,
    badMailboxCount: 1,
  });
});

Deno.test("RunTotals.report() throws the first refusal, with what the handler threw", () => {
  const channel = Channel.create({ portCount: 1, laneCount: 1 });
  const server = new Server(channel);
  server.operatePort(50_000, () => {
    throw new Error("disk full");
  });
  new Client(channel).cast(50_000, () => {});
  server.runOnce();
  const totals = new RunTotals();
  totals.addRefusal(channel, 0);
  totals.addRefusal(channel, 0);
  const error = assertThrows(
    () => totals.report(1, { refusals: "reject" }),
    CallError,
    "disk full (2 failed calls in this run)",
  );
  assertEquals([error.opcode, error.status], [50_000, Status.handlerFailed]);
  assertEquals(totals.report(1, { refusals: "count" }).refusedCallCount, 2);
});

Deno.test("RunTotals.report() throws the first error of a wave where refusals are counted", () => {
  const totals = new RunTotals();
  totals.addRefusal(Channel.create({ portCount: 1, laneCount: 1 }), 0);
  for (const waveIndex of [5, 6]) {
    totals.addError({ waveIndex, code: KernelErrorCode.noPortOpen, step: undefined });
  }
  assertThrows(() => totals.report(1, { refusals: "count" }), KernelError, "wave 5");
  assertThrows(
    () => totals.report(1, { refusals: "reject" }),
    CallError,
    "then: Cannot finish wave 5",
  );
});

onDevice("a stream of the host that is too long reaches no other wave's memory", async (gpu) => {
  // Wave 1 calls until wave 0 has its answer, and then looks whether its own stream is as it was.
  const source = `@group(1) @binding(0) var<storage, read_write> results: array<u32>;
    struct Frame { calls: u32 }
    fn step_0() {
      if wave_index == 1u { stream_set_word(0u, 105u); call(${INCREMENT}u); go(2u); return; }
      put("x");
      exchange_streams(50000u);
    }
    fn step_1() { results[0] = stream_length(); results[1] = reply_status(); finish(); }
    fn step_2() {
      frame.calls++;
      if frame.calls < 10u { call(${INCREMENT}u); go(2u); return; }
      results[2] = stream_word(0u);
    }`;
  const { results } = await runKernel(gpu, {
    source,
    ...{ portCount: 2, laneCount: 1, waveCount: 2, resultWords: 3, streamBytes: 16 },
    readback: "awaited",
    register: (server) =>
      server.operatePortAsync(50_000, async (port) => {
        const fill = (first: number) => (packet: Packet) => {
          for (let word = 0; word < 16; word++) packet.setUint32(0, word, word ? 9 : first);
          if (first === 100) packet.setUint32(0, 1, 0);
        };
        await (await port.recvAsync(() => {})).sendAsync(fill(100)).then((sent) =>
          sent.sendAsync(fill(9))
        );
      }),
  });
  assertEquals([...results], [16, Status.lengthRefused, 105]);
});

onDevice("a text that nobody serves is named, with the way out", async (gpu) => {
  const shape = { portCount: 1, laneCount: 1, waveCount: 1 };
  const source = 'fn step_0() { put("a"); print(); }';
  const wanted =
    "the call of print (opcode 1) as the server has no handler for it: serveHost(server)";
  await assertRejects(() => runKernel(gpu, { ...shape, source }), CallError, wanted);
});

const LONG = `no room for ${"a very ".repeat(20)}long text`;

for (const way of ["operatePort", "operate", "operatePortAsync", "operateAsync"] as const) {
  onDevice(
    `a run names the function that failed, and tells all of the error, ${way}`,
    async (gpu) => {
      const source = `const FIRST = 40000;
      @service(FIRST + 7) fn square(x: u32) -> u32;
      fn kernel() { if wave_index == 1u { _ = square(2u); } }`;
      const thrown = new RangeError(LONG);
      const register = (server: Server) =>
        server[way](40_007, () => {
          throw thrown;
        });
      const shape = { portCount: 2, laneCount: 1, waveCount: 3 };
      const { message, cause } = await assertRejects(
        () => runKernel(gpu, { ...shape, source, register }),
        CallError,
      );
      assertEquals(
        message,
        `Cannot finish the call of square in line 3 as its handler threw: ${LONG} (1 failed call in this run)`,
      );
      assertEquals(cause, thrown);
    },
  );
}

onDevice(
  "a run whose handler throws what is no error tells that, and the next run is another",
  async (gpu) => {
    const source = "@service(40000) fn f(); fn kernel() { f(); }";
    using bed = await kernelBed(gpu, { portCount: 1, laneCount: 1, waveCount: 1, source });
    const { kernel, server, faults } = bed;
    for (const thrown of [LONG, `other ${LONG}`]) {
      server.operate(40_000, () => {
        throw thrown;
      });
      for (
        const run of [() => kernel.runAsync(server), () => Promise.try(() => kernel.run(server))]
      ) {
        const { message, cause } = await assertRejects(run, CallError);
        assertStringIncludes(message, `its handler threw: ${thrown} (1 failed call in this run)`);
        assertEquals((cause as Error).message, thrown);
      }
    }
    const causes = faults.map(({ cause }) => cause);
    assertEquals(causes, [LONG, LONG, `other ${LONG}`, `other ${LONG}`]);
  },
);
