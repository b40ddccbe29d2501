import { assert, assertEquals, assertThrows } from "@std/assert";
import { fullMask } from "../../memory/lane_mask.ts";
import { meddledChannel } from "../../testing/fixtures/meddled_words.ts";
import { Deadline } from "../../wait/deadline.ts";
import { DESIGN_AXES } from "../design/channel_design.ts";
import { ControlWord } from "../layout.ts";
import { ClientSide } from "../client/client_side.ts";
import { PARTS_OVER } from "../stream/port_parts.ts";
import { CallAbandonedError, ClientLateError, ServerSide } from "./server_side.ts";

const OPCODE = 40_000;
/** Not the first, so that words of another port would show. */
const PORT = 1;

/** A call in whose middle the server waits: it has answered once, and the client is to go on. */
function middleOfCall(clientTimeoutSeconds = 60) {
  const { channel, words, layout } = meddledChannel(3);
  const client = new ClientSide(channel, "park");
  const server = new ServerSide(channel, { waiter: "park", clientTimeoutSeconds });
  assert(client.tryLockOwned(PORT));
  client.begin(PORT, OPCODE, fullMask(1));
  client.giveAway(PORT);
  assert(server.tryLockOwned(PORT));
  server.giveAway(PORT);
  const goOnAndLeave = () => {
    words.afterLoad = () => {};
    client.giveAwayAgain(PORT);
    client.unlock(PORT);
  };
  return { channel, words, layout, client, server, goOnAndLeave };
}

Deno.test("ServerSide.checkClient() loses no last send of a client that leaves behind it", () => {
  for (const meddled of ["clientOutboxWord", "clientLockWord"] as const) {
    const { words, layout, server, goOnAndLeave } = middleOfCall();
    words.afterLoad = (word) => word === layout[meddled] + PORT ? goOnAndLeave() : undefined;
    server.checkClient(PORT);
    assert(server.hasBuffer(PORT), "the send is there");
  }
});

Deno.test("ServerSide.checkClient() ends the wait for a client that left, or a channel that ended", () => {
  const left = middleOfCall();
  left.server.checkClient(PORT);
  left.client.unlock(PORT);
  assertThrows(() => left.server.checkClient(PORT), CallAbandonedError, "left the call");
  assertThrows(() => left.server.hasBuffer(PORT), CallAbandonedError);
  const stopped = middleOfCall();
  stopped.channel.shutDown();
  assertThrows(() => stopped.server.checkClient(PORT), CallAbandonedError, "was stopped");
});

Deno.test("ServerSide.checkClient() lets what was sent before the end be served", () => {
  const { channel, client, server } = middleOfCall();
  client.giveAwayAgain(PORT);
  channel.stop();
  server.checkClient(PORT);
  server.awaitBuffer(PORT, new Deadline({}));
});

Deno.test("ServerSide.awaitBuffer() sleeps until its client flips, and takes its last send", () => {
  const { words, server, layout, goOnAndLeave } = middleOfCall();
  words.onSleep = (word) => {
    assertEquals(word, layout.serverParkedWord + PORT);
    goOnAndLeave();
  };
  server.awaitBuffer(PORT, new Deadline({}));
  assertEquals(words.notified.includes(layout.serverParkedWord + PORT), true);
});

Deno.test("ServerSide.awaitBuffer() is woken by a client that leaves without a send", () => {
  const { words, server, layout, client } = middleOfCall();
  words.onSleep = () => client.unlock(PORT);
  assertThrows(() => server.awaitBuffer(PORT, new Deadline({})), CallAbandonedError);
  assertEquals(words.notified.includes(layout.serverParkedWord + PORT), true);
});

Deno.test("ServerSide.awaitBuffer() does not take the next call for the rest of this one", () => {
  const { words, server, client, layout } = middleOfCall();
  words.onSleep = () => {
    client.unlock(PORT);
    assert(client.tryLockOwned(PORT));
    client.begin(PORT, OPCODE, fullMask(1));
    client.giveAway(PORT);
    words.store(layout.serverParkedWord + PORT, 0);
  };
  assertThrows(() => server.awaitBuffer(PORT, new Deadline({})), CallAbandonedError);
  assert(server.mailboxes.owns(PORT), "the next call is still to be served");
});

Deno.test("ServerSide gives a client the time that it was told, or that of the wait", () => {
  const patient = middleOfCall(60);
  const over = new Deadline({ timeoutSeconds: 0 });
  assertThrows(() => patient.server.awaitBuffer(PORT, over), ClientLateError, "within 0 s");
  const { server } = middleOfCall(0);
  assertEquals(server.stepDeadline().timeoutSeconds, 0);
  assertThrows(
    () => server.awaitBuffer(PORT, server.stepDeadline()),
    ClientLateError,
    "within 0 s",
  );
});

Deno.test("ServerSide takes what came at the last moment, and ends by the signal of the wait", () => {
  const late = middleOfCall(0);
  late.words.afterLoad = (word) => {
    if (word === late.layout.clientLockWord + PORT) late.goOnAndLeave();
  };
  late.server.awaitBuffer(PORT, late.server.stepDeadline());
  const aborted = middleOfCall();
  const signal = AbortSignal.abort(new Error("called off"));
  const limit = new Deadline({ signal });
  assertThrows(() => aborted.server.awaitBuffer(PORT, limit), Error, "called off");
});

Deno.test("ServerSide counts itself in once and out once", () => {
  const { channel, server } = middleOfCall();
  const staying = new ServerSide(channel, { waiter: "park", clientTimeoutSeconds: 1 });
  for (const side of [server, server, staying]) side.enterServing(false);
  channel.shutDown();
  server.leaveServing();
  server.leaveServing();
  assertEquals(channel.state, 1, "the other one still serves");
  staying.leaveServing();
  assertEquals(channel.state, 3);
});

Deno.test("ServerSide that left on request was counted out by who asked, and does not do so again", () => {
  const { channel, server } = middleOfCall();
  const [leaving, staying] = [0, 1].map(() =>
    new ServerSide(channel, { waiter: "park", clientTimeoutSeconds: 1 })
  );
  for (const side of [leaving!, staying!]) side.enterServing(false);
  channel.leaveRequests.ask(leaving!.ownerId);
  channel.announceLeaving();
  assertEquals([leaving!.mayStay(), leaving!.hasLeft, server.mayStay()], [false, true, true]);
  channel.abandonServing(); // as who asked does
  leaving!.leaveServing();
  channel.shutDown();
  assertEquals(channel.state, 1, "the other one still serves");
});

Deno.test("ServerSide answers a request to leave when it holds no port, and not before", () => {
  const { channel, server, client } = middleOfCall();
  const slot = channel.leaveRequests.ask(server.ownerId);
  channel.announceLeaving();
  assertEquals([server.mayStay(), server.mayBegin(), server.hasLeft], [false, false, false]);
  assertEquals(channel.leaveRequests.stateOf(slot), "asked");
  server.unlock(PORT);
  assertEquals([server.hasLeft, channel.leaveRequests.stateOf(slot)], [true, "left"]);
  assertEquals([client.mayStay(), client.mayBegin()], [true, true]);
});

Deno.test("ServerSide.partGuards(): a stream is over when its client has gone, or the channel has stopped", () => {
  for (const [isThere, isStopped] of [[true, false], [false, false], [true, true], [false, true]]) {
    const { channel, client, server } = middleOfCall();
    if (!isThere) client.unlock(PORT);
    if (isStopped) channel.stop();
    const { sending, receiving } = server.partGuards(PORT, () => server.stepDeadline());
    const thrown = [sending, receiving].map((guard) => {
      try {
        guard.renew().check();
        return undefined;
      } catch (error) {
        return error;
      }
    });
    const over = isThere && !isStopped ? undefined : PARTS_OVER;
    assertEquals(thrown.map((one) => one === over), [true, true], `${isThere} ${isStopped}`);
  }
});

Deno.test("ServerSide gives clients little time once the channel ends and one of them was late", () => {
  const { channel, server } = middleOfCall(60);
  const isLate = () => assertThrows(() => server.checkTime(new Deadline({ timeoutSeconds: 0 })));
  const seconds = () => server.stepDeadline().timeoutSeconds;
  isLate();
  server.enterServing(false);
  channel.shutDown();
  assertEquals(seconds(), 60, "the first that is waited for at the end");
  isLate();
  assertEquals([seconds(), middleOfCall(0).server.stepDeadline().timeoutSeconds], [0.1, 0]);
});

Deno.test("ServerSide.isTaken(): whoever holds the port is left to it, and rings when it drops it", () => {
  for (const portLock of DESIGN_AXES.portLock) {
    const { channel, words, layout } = meddledChannel(2, { portLock });
    const [own, other] = [0, 1].map(() =>
      new ServerSide(channel, { waiter: "park", clientTimeoutSeconds: 1 })
    );
    const client = new ClientSide(channel, "park");
    assert(client.tryLockOwned(PORT));
    client.giveAway(PORT);
    assertEquals(own!.isTaken(PORT), false, portLock);
    assert(other!.tryLockOwned(PORT));
    assertEquals([own!.isTaken(PORT), other!.isTaken(PORT)], [true, true], portLock);
    words.notified.length = 0;
    other!.handBack(PORT);
    assertEquals(words.notified.includes(layout.controlWord + ControlWord.bell), true, portLock);
  }
});

Deno.test("ServerSide.isTaken() says no of a port that it keeps: a next call there is its work", () => {
  const { channel } = meddledChannel(1, { portLock: "held" });
  const client = new ClientSide(channel, "park");
  const server = new ServerSide(channel, { waiter: "park", clientTimeoutSeconds: 1 });
  assert(client.tryLockOwned(0));
  client.giveAway(0);
  assert(server.tryLockOwned(0));
  server.handBack(0);
  client.giveAway(0);
  assertEquals([server.locks.peerHolder(0), server.isTaken(0)], [client.ownerId, false]);
});
