import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { CallError } from "../../call/call_error.ts";
import { fullMask } from "../../memory/lane_mask.ts";
import { CONTINUES, NO_REPLY, OPCODE_FLAGS, WHOLE_ERRORS } from "../../memory/port_headers.ts";
import { Status } from "../../memory/status.ts";
import { meddledChannel } from "../../testing/fixtures/meddled_words.ts";
import { statusOf } from "../../testing/fixtures/status_of.ts";
import { Deadline } from "../../wait/deadline.ts";
import type { WaitGuard } from "../../wait/inbox_waiter.ts";
import { ControlWord } from "../layout.ts";
import { PARTS_OVER } from "../stream/port_parts.ts";
import { ServerSide } from "../server/server_side.ts";
import { ClientSide } from "./client_side.ts";

const OPCODE = 40_000;

/** A call that was sent on port 1 of 2, and is with the server. */
function sentCall() {
  const { channel, words, layout } = meddledChannel(2);
  const client = new ClientSide(channel, "park");
  const server = new ServerSide(channel, { waiter: "park", clientTimeoutSeconds: 60 });
  assert(client.tryLockOwned(1));
  client.begin(1, OPCODE, fullMask(1));
  client.giveAway(1);
  const giveUpOn = (id: number) => {
    const slot = channel.leaveRequests.ask(id);
    assert(channel.leaveRequests.giveUp(slot, id));
    channel.announceLeaving();
  };
  return { channel, words, layout, client, server, giveUpOn };
}

function guardOf(check: () => void, deadline?: Deadline): WaitGuard {
  const { leftMilliseconds = Infinity, signal } = deadline ?? {};
  return { check, leftMilliseconds, signal };
}

Deno.test("ClientSide writes the flags of a call, of a cast, and of what goes on", () => {
  const { client, server } = sentCall();
  const opcode = () => server.headers.opcodeWord(1) & ~OPCODE_FLAGS;
  const flags = () => server.headers.opcodeWord(1) & OPCODE_FLAGS;
  assertEquals([opcode(), flags()], [OPCODE, WHOLE_ERRORS]);
  assert(server.tryLockOwned(1));
  server.giveAway(1);
  client.giveAwayAgain(1);
  assertEquals([opcode(), flags()], [OPCODE, WHOLE_ERRORS | CONTINUES]);
  server.handBack(1);
  client.headers.begin(1, (OPCODE + 1) | NO_REPLY, fullMask(1));
  assertEquals([opcode(), flags()], [OPCODE + 1, NO_REPLY]);
});

Deno.test("ClientSide.checkReply() lets a client wait while its call may be answered", () => {
  const { channel, client, server, giveUpOn } = sentCall();
  client.checkReply(1, OPCODE);
  giveUpOn(99); // somebody else
  client.checkReply(1, OPCODE);
  channel.shutDown();
  const error = assertThrows(() => client.checkReply(1, OPCODE), CallError);
  assertEquals([error.status, error.opcode], [Status.serverGone, OPCODE]);
  assert(server.tryLockOwned(1));
  server.handBack(1);
  client.checkReply(1, OPCODE); // it was answered: that is no time to give up
});

Deno.test("ClientSide.checkReply() ends the wait for a server that was given up on, once it is lost", () => {
  const { client, server, giveUpOn } = sentCall();
  assert(server.tryLockOwned(1));
  giveUpOn(server.ownerId);
  assertEquals(statusOf(() => client.checkReply(1, OPCODE)), Status.serverGone);
  client.checkReply(0, OPCODE);
});

Deno.test("ClientSide.partGuards(): who waits for a place goes on while somebody serves the call", () => {
  const { channel, client, server } = sentCall();
  const { sending } = client.partGuards(1, OPCODE, undefined);
  assertEquals(assertThrows(() => sending.check()), PARTS_OVER);
  assert(server.tryLockOwned(1));
  sending.check();
  server.unlock(1);
  assertEquals(assertThrows(() => sending.check()), PARTS_OVER);
  assert(server.tryLockOwned(1));
  channel.stop();
  assertThrows(() => sending.check(), CallError, "shut down");
});

Deno.test("ClientSide: who is asked to leave waits for nothing, and begins nothing", () => {
  const { channel, client } = sentCall();
  channel.leaveRequests.ask(client.ownerId);
  channel.announceLeaving();
  const checks = [() => client.checkReply(1, OPCODE), () => client.checkClaim(OPCODE)];
  assertEquals(checks.map(statusOf), [Status.askedToLeave, Status.askedToLeave]);
  assertEquals(client.hasLeft, false, "it holds a port");
  client.unlock(1);
  assertEquals([client.hasLeft, channel.leaveRequests.isAsked(client.ownerId)], [true, true]);
});

Deno.test("ClientSide.checkClaim() lets nobody begin on a channel that stops", () => {
  const { channel, client } = sentCall();
  client.checkClaim(OPCODE);
  channel.enterServing();
  channel.shutDown();
  assertEquals(statusOf(() => client.checkClaim(OPCODE)), Status.serverGone);
  client.checkReply(1, OPCODE); // what was sent is still answered
});

Deno.test("ClientSide.checkAnyPort() gives up only when no port can become free", () => {
  const { client, server, channel, giveUpOn } = sentCall();
  client.checkAnyPort(OPCODE);
  const deaf = new ClientSide(channel, "park");
  assert(deaf.tryLockOwned(0));
  giveUpOn(deaf.ownerId);
  client.checkAnyPort(OPCODE); // port 1 is the caller's own call
  assert(server.tryLockOwned(1));
  giveUpOn(server.ownerId);
  const error = assertThrows(() => client.checkAnyPort(OPCODE), CallError, "every port is held");
  assertEquals([error.status, error.opcode], [Status.serverGone, OPCODE]);
  deaf.unlock(0);
  client.checkAnyPort(OPCODE);
});

Deno.test("ClientSide.awaitFree() marks every port, looks once more, and sleeps as long as it may", async () => {
  const { words, layout, client, channel } = sentCall();
  const waiting = new ClientSide(channel, "park");
  assert(client.tryLockOwned(0));
  const bellWord = layout.controlWord + ControlWord.freeBell;
  const sleeps: number[][] = [];
  words.onSleep = (word, milliseconds) => sleeps.push([word, milliseconds]);
  let checkCount = 0;
  waiting.awaitFree({ check: () => checkCount++, leftMilliseconds: 21 });
  assertEquals([sleeps, checkCount], [[[bellWord, 21]], 1]);
  const fails = guardOf(() => {
    throw new Error("looked");
  });
  assertThrows(() => waiting.awaitFree(fails), Error, "looked");
  client.unlock(0);
  waiting.awaitFree(fails); // a port is free: no time to look at anything else
  await waiting.awaitFreeAsync(fails);
  assertEquals(sleeps.length, 1);
});

Deno.test("ClientSide.awaitFreeAsync() ends by an unlock, by its signal, and at its time", async () => {
  const { client, channel, layout, words } = sentCall();
  const waiting = new ClientSide(channel, "park");
  assert(client.tryLockOwned(0));
  const freed = waiting.awaitFreeAsync(guardOf(() => {}));
  client.unlock(0);
  await freed;
  assert(client.tryLockOwned(0));
  const controller = new AbortController();
  const aborted = waiting.awaitFreeAsync({ ...guardOf(() => {}), signal: controller.signal });
  controller.abort();
  await aborted;
  await waiting.awaitFreeAsync({ check() {}, leftMilliseconds: 1 });
  words.notified.length = 0;
  const later = new AbortController();
  const rung = waiting.awaitFreeAsync({ ...guardOf(() => {}), signal: later.signal });
  client.unlock(0);
  await rung;
  words.notified.length = 0;
  later.abort();
  assertEquals(words.notified, [], "nobody listens any more");
  assertEquals(words.load(layout.clientLockWord), 0);
});

Deno.test("ClientSide.awaitBuffer() says on which port its time was over, and ends by its signal", async () => {
  const { client } = sentCall();
  const over = new Deadline({ timeoutSeconds: 0 });
  assertThrows(() => client.awaitBuffer(1, OPCODE, over), DOMException, "receive on port 1");
  const signal = AbortSignal.abort(new Error("called off"));
  assertThrows(() => client.awaitBuffer(1, OPCODE, new Deadline({ signal })), Error, "called off");
  const later = new AbortController();
  const wait = client.awaitBufferAsync(1, OPCODE, new Deadline({ signal: later.signal }));
  later.abort(new Error("changed my mind"));
  assertEquals(await wait?.catch((error) => error.message), "changed my mind");
});

Deno.test("ClientSide.giveAway() rings for a server that sleeps, and only for a fresh hint", () => {
  const { words, layout, client, server } = sentCall();
  const bellWord = layout.controlWord + ControlWord.bell;
  words.store(layout.controlWord + ControlWord.sleepers, 1);
  assert(server.tryLockOwned(1));
  server.handBack(1);
  client.giveAway(1);
  assertEquals(words.notified.includes(bellWord), false, "the hint is still there");
  words.store(layout.hintWord, 0);
  assert(server.tryLockOwned(1));
  server.handBack(1);
  client.giveAway(1);
  assertEquals(words.notified.includes(bellWord), true);
});

Deno.test("ClientSide: what ends a wait is told with the port and the opcode of that wait", async () => {
  const { channel, client } = sentCall();
  assert(client.tryLockOwned(0));
  client.begin(0, OPCODE + 1, fullMask(1));
  client.giveAway(0);
  const over = new Deadline({ timeoutSeconds: 0 });
  const calls = [[1, OPCODE], [0, OPCODE + 1], [1, OPCODE]] as const;
  for (const [index, opcode] of calls) {
    const text = `receive on port ${index}`;
    assertThrows(() => client.awaitBuffer(index, opcode, over), DOMException, text);
    const overAsync = async () => await client.awaitBufferAsync(index, opcode, over);
    await assertRejects(overAsync, DOMException, text);
  }
  channel.stop();
  for (const [index, opcode] of calls) {
    const blocking = () => client.awaitBuffer(index, opcode, undefined); // no limit is left over
    assertEquals(assertThrows(blocking, CallError).opcode, opcode);
    const waiting = async () => await client.awaitBufferAsync(index, opcode, undefined);
    assertEquals((await assertRejects(waiting, CallError)).opcode, opcode);
  }
});
