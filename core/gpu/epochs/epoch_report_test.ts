import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { CallError } from "../../call/call_error.ts";
import { recvBytes } from "../../call/stream.ts";
import { Opcode } from "../../memory/opcode.ts";
import { Status } from "../../memory/status.ts";
import { Channel } from "../../toggle/channel.ts";
import { Client } from "../../toggle/client/client.ts";
import { Server } from "../../toggle/server/server.ts";
import { registerReserved } from "../../toggle/server/service_registry.ts";
import { onDevice } from "../device/on_device_test.ts";
import { INCREMENT, runKernel } from "./kernel_run_test.ts";
import { KernelError, KernelErrorCode } from "../wgsl/kernel_error.ts";
import { RunTotals } from "./epoch_report.ts";

Deno.test("RunTotals.report() adds up what came", () => {
  const totals = new RunTotals();
  totals.addEpoch({ packetCount: 3, isStarved: true });
  totals.addEpoch({ packetCount: 4, isStarved: false });
  totals.addBadMailbox();
  assertEquals(totals.report(2, "reject"), {
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
  server.register(50_000, () => {
    throw new Error("disk full");
  });
  new Client(channel).cast(50_000, () => {});
  server.serveOnce();
  const totals = new RunTotals();
  totals.addRefusal(channel, 0);
  totals.addRefusal(channel, 0);
  const error = assertThrows(
    () => totals.report(1, "reject"),
    CallError,
    "disk full; 2 in this run",
  );
  assertEquals([error.opcode, error.status], [50_000, Status.handlerFailed]);
  assertEquals(totals.report(1, "count").refusedCallCount, 2);
});

Deno.test("RunTotals.report() throws the first error of a wave before any refusal", () => {
  const totals = new RunTotals();
  totals.addRefusal(Channel.create({ portCount: 1, laneCount: 1 }), 0);
  for (const waveIndex of [5, 6]) {
    totals.addError({ waveIndex, code: KernelErrorCode.noPortOpen, step: undefined });
  }
  assertThrows(() => totals.report(1, "count"), KernelError, "wave 5");
});

onDevice("a call without a handler tells the kernel its status", async (gpu) => {
  const source = `@group(1) @binding(0) var<storage, read_write> results: array<u32>;
    fn step_0() { call(60000u); }
    fn step_1() { results[0] = reply_status(); call(${Opcode.noop}u); }
    fn step_2() { results[1] = reply_status(); }`;
  const shape = { portCount: 1, laneCount: 1, waveCount: 1, resultWords: 2 };
  const { results, faults } = await runKernel(gpu, { ...shape, source, refusals: "count" });
  assertEquals([...results], [Status.unhandledOpcode, Status.ok]);
  assertEquals(faults.map(({ status }) => status), [Status.unhandledOpcode]);
});

onDevice("a handler that throws leaves the server alive and tells the kernel", async (gpu) => {
  const source = `@group(1) @binding(0) var<storage, read_write> results: array<u32>;
    fn step_0() { call(50000u); }
    fn step_1() { results[0] = reply_status(); packet_set(0u, 7u); call(${INCREMENT}u); }
    fn step_2() { results[1] = reply(0u); }`;
  const register = (server: Server) =>
    server.register(50_000, () => {
      throw new Error("no");
    });
  const shape = { portCount: 1, laneCount: 1, waveCount: 1, resultWords: 2 };
  const options = { ...shape, source, register, refusals: "count" } as const;
  const { results } = await runKernel(gpu, options);
  assertEquals([...results], [Status.handlerFailed, 8]);
});

onDevice("a run rejects when a call was refused, after the kernel has finished", async (gpu) => {
  const shape = { portCount: 2, laneCount: 1, waveCount: 2 };
  const source = "fn step_0() { call(60000u); }";
  const error = await assertRejects(() => runKernel(gpu, { ...shape, source }), CallError);
  assertEquals([error.opcode, error.status], [60_000, Status.unhandledOpcode]);
  assert(error.message.includes("2 in this run"), error.message);
  const { report } = await runKernel(gpu, { ...shape, source, refusals: "count" });
  assertEquals(report.refusedCallCount, 2);
});

onDevice("a run rejects when the last call was refused, and nobody waited for it", async (gpu) => {
  const shape = { portCount: 1, laneCount: 1, waveCount: 1 };
  const source = "fn step_0() { cast_call(60000u); }";
  await assertRejects(() => runKernel(gpu, { ...shape, source }), CallError, "60000");
});

onDevice("a print that awaited readback cannot bring rejects the run and says why", async (gpu) => {
  const text = "x".repeat(60);
  const source = `fn step_0() { put("${text}"); print(); }`;
  const register = (server: Server) =>
    server[registerReserved](Opcode.writeStdout, {
      handler: (port) => void recvBytes(port, { limitBytes: 256 }),
    });
  const shape = { portCount: 1, laneCount: 1, waveCount: 1, readback: "awaited" } as const;
  await assertRejects(
    () => runKernel(gpu, { ...shape, source, register }),
    CallError,
    "as the readback is awaited",
  );
});
