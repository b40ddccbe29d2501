import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { CallError } from "../call/call_error.ts";
import { FOUR_PHASE } from "../four_phase/four_phase.ts";
import { InvariantError } from "../memory/assert.ts";
import { Deadline } from "../wait/deadline.ts";
import { callGuard } from "./pending_call.ts";

const OPCODE = 40_000;

function begin() {
  const channel = FOUR_PHASE.create({ packetCount: 1, laneCount: 1 });
  const server = FOUR_PHASE.server(channel);
  server.operate(OPCODE, (packet) => packet.setUint32(0, 0, packet.getUint32(0, 0) + 1));
  const client = FOUR_PHASE.client(channel);
  const post = () => client.tryPost(OPCODE, (packet) => packet.setUint32(0, 0, 1))!;
  return { channel, server, client, post };
}

Deno.test("PendingCall.tryFinish() is false until the server answers, then reads the answer", () => {
  const { server, post } = begin();
  const call = post();
  let answer = 0;
  const use = (packet: { getUint32(lane: number, word: number): number }) =>
    void (answer = packet.getUint32(0, 0));
  assertEquals(call.tryFinish(use), false);
  server.runOnce();
  assertEquals([call.tryFinish(use), answer], [true, 2]);
  assertThrows(() => call.tryFinish(use), InvariantError, "under way");
});

Deno.test("PendingCall.finish() leaves the call at its deadline; finishAsync() too", async () => {
  const { server, client, post } = begin();
  for (let round = 0; round < 2; round++) {
    const call = post();
    const limit = { timeoutSeconds: 0.005 };
    if (round === 0) assertThrows(() => call.finish(() => {}, limit), DOMException);
    else await assertRejects(() => call.finishAsync(() => {}, limit), DOMException);
    assertThrows(() => call.finish(() => {}), InvariantError);
    // Served, collected by the client that looks for a packet, and cleaned up.
    while (server.runOnce());
    assertEquals(client.tryCast(OPCODE, () => {}), false);
    while (server.runOnce());
  }
});

Deno.test("PendingCall.leave() gives the answer up, and nothing when the call is over", () => {
  const { server, client, post } = begin();
  const call = post();
  call.leave();
  call.leave();
  server.runOnce();
  assertEquals(client.tryCast(OPCODE, () => {}), false, "the garbage is collected first");
  server.runOnce();
  assertEquals(client.tryCast(OPCODE, () => {}), true);
});

Deno.test("PendingCall: a use that throws frees the packet; so does a channel that is stopped", () => {
  const { channel, server, post } = begin();
  const call = post();
  server.runOnce();
  const broken = () => {
    throw new Error("no use");
  };
  assertThrows(() => call.tryFinish(broken), Error, "no use");
  server.runOnce();
  const next = post();
  channel.stop();
  assertThrows(() => next.tryFinish(() => {}), CallError, "shut down");
});

Deno.test("PendingCall has one wait at a time, which its signal ends", async () => {
  const { server, client, post } = begin();
  const call = post();
  const controller = new AbortController();
  const first = call.finishAsync(() => {}, { signal: controller.signal });
  const other = "no other wait of the call is under way";
  const limit = { timeoutSeconds: 1 };
  await assertRejects(() => call.finishAsync(() => {}, limit), InvariantError, other);
  for (const end of [() => call.leave(), () => call.finish(() => {}, limit)]) {
    assertThrows(end, InvariantError, other);
  }
  server.runOnce();
  assertThrows(() => call.tryFinish(() => {}), InvariantError, other);
  assertEquals(client.tryCast(OPCODE, () => {}), false, "the packet is still the call's");
  await first;
  call.leave();
  while (server.runOnce());
  const left = post();
  const waiting = left.finishAsync(() => {}, { signal: controller.signal });
  controller.abort();
  await assertRejects(() => waiting, DOMException);
  left.leave();
});

Deno.test("callGuard().check() passes, until the channel is stopped", () => {
  const channel = { isStopped: false };
  const guard = callGuard(channel, 40_000, undefined);
  guard.check();
  assertEquals([guard.leftMilliseconds, guard.signal], [Infinity, undefined]);
  channel.isStopped = true;
  assertThrows(() => guard.check(), CallError, "shut down");
});

Deno.test("callGuard().check() throws at the deadline, and tells how long is left", () => {
  const deadline = new Deadline({ timeoutSeconds: 0, signal: AbortSignal.timeout(100_000) });
  const guard = callGuard({ isStopped: false }, 40_000, deadline);
  assertThrows(() => guard.check(), DOMException, "Cannot finish the call of opcode 40000");
  assertEquals([guard.leftMilliseconds, guard.signal], [0, deadline.signal]);
});
