import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { CallError } from "../../call/call_error.ts";
import { InvariantError } from "../../memory/assert.ts";
import type { Packet } from "../../memory/packet.ts";
import { Status } from "../../memory/status.ts";
import { Channel } from "../channel.ts";
import { Client } from "../client/client.ts";
import type { ClientPort } from "../client/client_port.ts";
import { CallAbandonedError, ClientLateError } from "./server_side.ts";
import { Server } from "./server.ts";
import type { ServerPort } from "./server_port.ts";
import { oneThread } from "../../testing/fixtures/one_thread.ts";
import { statusOf } from "../../testing/fixtures/status_of.ts";

const OPCODE = 40_000;

function skip(): void {}

Deno.test("ServerPort: misuse does not compile, and throws where types are dodged", () => {
  const { client, server } = oneThread({ portCount: 1, laneCount: 1 });
  client.open(OPCODE).send(skip);
  const port = server.tryOpen()!;
  // @ts-expect-error nothing was sent
  assertThrows(() => port.query(), InvariantError, "was sent");
  port.recv(skip).close();
  assertThrows(() => port.close(), InvariantError, "the port is open");
});

Deno.test("ServerPort.send() answers at first, too, without a look at the packet", () => {
  const { client, server } = oneThread({ portCount: 1, laneCount: 1 });
  server.operatePort(OPCODE, (port) => void port.send((packet) => packet.setUint32(0, 0, 7)));
  let answer = 0;
  client.call(OPCODE, { fill: skip, use: (packet) => answer = packet.getUint32(0, 0) });
  assertEquals(answer, 7);
});

/** A call on port 1 of 3 whose first packet the server has, both ends in one thread. */
function claimed() {
  const channel = Channel.create({ portCount: 3, laneCount: 1 });
  const server = new Server(channel, { clientTimeoutSeconds: 60 });
  const client = new Client(channel);
  const opened = [client.open(OPCODE), client.open(OPCODE), client.open(OPCODE)];
  const fresh = opened.find(({ index }) => index === 1)!;
  for (const other of opened) if (other !== fresh) other.close();
  const sent = fresh.send(put(1));
  const port = server.tryOpen()!;
  assertEquals(port.index, 1);
  return { channel, server, client, sent, port };
}

function put(value: number) {
  return (packet: Packet) => packet.setUint32(0, 0, value);
}

/** The value that a `recv` finds. */
function valueOf(recv: (use: (packet: Packet) => void) => unknown): number {
  let value = -1;
  recv((packet) => value = packet.getUint32(0, 0));
  return value;
}

const OVER = { timeoutSeconds: 0 };

Deno.test("ServerPort.query() and tryRecv() say no until the client gives the packet back", () => {
  const { sent, port } = claimed();
  assertEquals([port.opcode, port.outbox, port.isOpen], [OPCODE, 0, true]);
  const answered = port.recv(skip).send(put(2));
  assertEquals([answered.query(), answered.tryRecv(skip), answered.outbox], [false, undefined, 1]);
  const mine = sent.recv(skip);
  assertEquals(answered.query(), false, "the client has it");
  mine.send(put(3));
  assertEquals(answered.query(), true);
  assertEquals(valueOf((use) => answered.tryRecv(use)), 3);
  assertThrows(() => answered.query(), InvariantError, "was sent");
  answered.close();
  assertEquals([answered.isOpen, sent.query()], [false, true]);
});

Deno.test("ServerPort: a send after a send, and a receive after a receive, wait for the client", () => {
  const { sent, port } = claimed();
  const answered = port.recv(skip).send(put(2));
  assertThrows(() => answered.send(put(9), OVER), ClientLateError, "within 0 s");
  sent.recv(skip).close();
});

Deno.test("ServerPort: a wait that failed ends the call, and the port can only be closed", () => {
  const { port, server, sent } = claimed();
  const answered = port.recv(skip).send(skip);
  assertThrows(() => answered.recv(skip, OVER), ClientLateError);
  assertThrows(() => answered.recv(skip), InvariantError, "has not failed");
  assertThrows(() => answered.query(), InvariantError, "has not failed");
  answered.close();
  assertThrows(() => answered.recv(skip), InvariantError, "the port is open");
  assert(sent.query(), "the client has its answer");
  assertEquals(server.tryOpen(), undefined);
});

Deno.test("ServerPort.recv() twice gives the packet back in between", () => {
  const { sent, port } = claimed();
  const mine = port.recv(skip);
  assertThrows(() => mine.recv(skip, OVER), ClientLateError);
  assert(sent.query());
});

Deno.test("ServerPort.recvAsync() and sendAsync() wait for the client, and take what it sends", async () => {
  const { sent, port } = claimed();
  const mine = await port.recvAsync(skip);
  const waited = mine.recvAsync((packet) => assertEquals(packet.getUint32(0, 0), 4));
  const back = sent.send(put(4));
  await waited;
  const first = await mine.sendAsync(put(5));
  const second = first.sendAsync(put(6));
  assertEquals(valueOf((use) => back.recv(use)), 5);
  // The client asks for the next packet: it gives this one back first.
  const asked = (back as unknown as ClientPort<"mine">).recvAsync((packet) =>
    assertEquals(packet.getUint32(0, 0), 6)
  );
  await Promise.all([second, asked]);
  port.close();
});

Deno.test("ServerPort: an asynchronous wait ends at its limit, by its signal, and with its handler", async () => {
  const late = claimed();
  const answered = late.port.recv(skip).send(skip);
  await assertRejects(() => answered.recvAsync(skip, { timeoutSeconds: 0.001 }), ClientLateError);
  const called = claimed();
  const controller = new AbortController();
  const { signal } = controller;
  const waited = called.port.recv(skip).send(skip).recvAsync(skip, { signal });
  assertThrows(() => called.port.close(), InvariantError, "no wait of the port is under way");
  controller.abort(new Error("called off"));
  await assertRejects(() => waited, Error, "called off");
  called.port.close();
  const ended = claimed();
  const wait = ended.port.recv(skip).send(skip).recvAsync(skip);
  const caught = assertRejects(() => wait, CallAbandonedError, "The handler has ended");
  await ended.port.endWaits();
  await caught;
  await ended.port.endWaits(); // there is none any more
  ended.port.close();
});

Deno.test("ServerPort: an end of the handler ends a wait with a limit of its own, too", async () => {
  const { port } = claimed();
  const { signal } = new AbortController();
  const wait = port.recv(skip).send(skip).recvAsync(skip, { timeoutSeconds: 60, signal });
  const caught = assertRejects(() => wait, CallAbandonedError, "The handler has ended");
  await port.endWaits();
  await caught;
  port.close();
});

Deno.test("ServerPort.close() hands back what the server has, and nothing else", () => {
  const early = claimed();
  early.port.close();
  assertEquals(early.sent.query(), true, "else it would be served again");
  const { sent, port, server } = claimed();
  port.recvAndSend(put(8)).close();
  assertEquals(valueOf((use) => sent.recv(use)), 8);
  assertEquals(server.tryOpen(), undefined);
  const kept = claimed();
  {
    using _port = kept.port.accept();
  }
  assert(kept.sent.query() && !kept.port.isOpen);
  assertThrows(
    () => (kept.port as ServerPort<"fresh">).accept(),
    InvariantError,
    "nothing was sent",
  );
});

Deno.test("ServerPort.close() hands back a packet whose callback threw, too: it is served once", () => {
  const { client, server } = oneThread({ portCount: 1, laneCount: 1 });
  let servedCount = 0;
  server.operatePort(OPCODE, (port) => {
    servedCount++;
    assertThrows(() => port.recv(fail), Error, "no use");
  });
  const fail = () => {
    throw new Error("no use");
  };
  const call = () => client.call(OPCODE, { fill: skip, use: skip }, { timeoutSeconds: 1 });
  assertEquals(statusOf(call), Status.noReply);
  assertEquals([server.runOnce(), servedCount], [false, 1]);
});

Deno.test("ServerPort.release() leaves the port to somebody else, and detach() takes its packet", () => {
  const { port, sent } = claimed();
  assertEquals(port.hasBuffer, true);
  port.release();
  assertEquals([port.isOpen, sent.query()], [false, false]);
  const other = claimed();
  let kept: Packet | undefined;
  other.port.recv((packet) => kept = packet);
  other.port.detach();
  kept!.setUint32(0, 0, 666);
  other.port.close();
  assertEquals(valueOf((use) => other.sent.recv(use)), 1);
});

Deno.test("ServerPort.send() that waited, and whose fill throws, may be tried again", async () => {
  for (const isAsync of [false, true]) {
    const { sent, port } = claimed();
    const answered = port.recv(skip).send(skip);
    const back = sent.recv(skip).send(skip);
    const fails = () => {
      throw new Error("no data");
    };
    if (isAsync) await assertRejects(() => answered.sendAsync(fails), Error, "no data");
    else assertThrows(() => answered.send(fails), Error, "no data");
    assertEquals(back.query(), false);
    answered.send(put(7)).close();
    assertEquals(valueOf((use) => back.recv(use)), 7);
  }
});

Deno.test("ServerPort.refuse() ends the call with bad news, unless the client has the packet", () => {
  const { sent, port } = claimed();
  port.refuse(Status.handlerFailed, new RangeError("no luck"));
  port.close();
  const error = assertThrows(() => sent.recv(skip), CallError, "no luck");
  assertEquals([error.status, (error.cause as Error).name], [Status.handlerFailed, "RangeError"]);
  const other = claimed();
  const answered = other.port.recv(skip).send(skip);
  answered.refuse(Status.handlerFailed, new RangeError("too late"));
  other.sent.recv(skip).close();
});
