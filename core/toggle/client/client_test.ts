import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { InvariantError } from "../../memory/assert.ts";
import { CallError } from "../../call/call_error.ts";
import { Channel } from "../channel.ts";
import { Client } from "./client.ts";
import { laneMask } from "../../memory/lane_mask.ts";
import { oneThread } from "../../testing/fixtures/one_thread.ts";
import { increment } from "../../testing/conformance/services.ts";
import type { Packet } from "../../memory/packet.ts";
import { Server } from "../server/server.ts";
import { Status } from "../../memory/status.ts";

const OPCODE = 40_000;
function skip(): void {}

/** Mailbox words, locks and header of port 0, as both sides see them. */
function wordsOf({ words, layout }: Channel) {
  return {
    boxes: [words.load(layout.clientOutboxWord), words.load(layout.serverOutboxWord)],
    locks: [words.load(layout.clientLockWord), words.load(layout.serverLockWord)],
  };
}

Deno.test("One exchange, step by step: who locks, who owns, what toggles", () => {
  const channel = Channel.create({ portCount: 1, laneCount: 1 });
  const client = new Client(channel);
  const server = new Server(channel);
  assertEquals(server.tryOpen(), undefined);
  const port = client.open(OPCODE);
  assertEquals(wordsOf(channel), { boxes: [0, 0], locks: [client.id, 0] });
  const sent = port.send((packet) => packet.setUint32(0, 0, 41));
  assertEquals(wordsOf(channel), { boxes: [1, 0], locks: [client.id, 0] });
  assertEquals([sent.query(), sent.tryRecv(skip)], [false, undefined]);
  const served = server.tryOpen()!;
  assertEquals(served.opcode, OPCODE);
  assertEquals(wordsOf(channel).locks, [client.id, server.id]);
  const answered = served.recv(increment).send(skip);
  assertEquals(wordsOf(channel).boxes, [1, 1]);
  answered.close();
  assert(sent.query());
  let reply = 0;
  sent.tryRecv((packet) => reply = packet.getUint32(0, 0))!.close();
  assertEquals([reply, wordsOf(channel)], [42, { boxes: [1, 1], locks: [0, 0] }]);
});

Deno.test("A fill that throws sends nothing, and the port goes on", () => {
  const { channel, client, server } = oneThread({ portCount: 1, laneCount: 1 });
  server.operate(OPCODE, increment);
  const fail = () => {
    throw new Error("no data");
  };
  const port = client.open(OPCODE);
  assertThrows(() => port.send(fail), Error, "no data");
  assertEquals(wordsOf(channel).boxes, [0, 0]);
  port.sendAndRecv({ fill: skip, use: skip }).close();
  assertThrows(() => client.call(OPCODE, { fill: fail, use: skip }), Error, "no data");
  assertThrows(() => client.call(OPCODE, { fill: skip, use: fail }), Error, "no data");
  assertEquals(wordsOf(channel).locks, [0, 0]);
  client.call(OPCODE, { fill: skip, use: skip });
});

Deno.test("Client refuses opcodes and lane masks that its channel does not have", () => {
  const { client } = oneThread({ portCount: 1, laneCount: 8 });
  for (const opcode of [-1, 65536, 1.5, NaN, 1n as unknown as number]) {
    assertThrows(() => client.open(opcode), RangeError, String(opcode));
    assertThrows(() => client.call(opcode, { fill: skip, use: skip }), RangeError, String(opcode));
  }
  const refused = [
    [{ lo: 0, hi: 0 }, "no lane"],
    [laneMask(8), "beyond"],
    [laneMask(40), "beyond"],
    [{ lo: 1 }, "not 32-bit integers"],
    [{ lo: 1n, hi: 0n }, "not 32-bit integers"],
  ];
  for (const [mask, text] of refused as [{ lo: number; hi: number }, string][]) {
    assertThrows(() => client.tryOpen(OPCODE, { mask }), RangeError, text);
    assertThrows(() => client.call(OPCODE, { fill: skip, use: skip }, { mask }), RangeError, text);
  }
  assert(client.tryOpen(OPCODE), "what is refused takes no port");
});

Deno.test("Client refuses a waiter and a timeout that it does not know", () => {
  const channel = Channel.create({ portCount: 1, laneCount: 1 });
  const make = () => new Client(channel, { waiter: "sleepy" as "spin" });
  assertThrows(make, TypeError, "sleepy");
  const client = new Client(channel);
  const open = () => client.open(OPCODE, { timeoutSeconds: -1 }).send(skip).recv(skip);
  client.open(OPCODE);
  assertThrows(open, RangeError, "-1");
});

Deno.test("A wait ends at its deadline, and the port can be waited on again", () => {
  const { channel, client } = oneThread({ portCount: 1, laneCount: 1 });
  const patient = new Client(channel);
  using port = patient.open(OPCODE);
  const sent = port.send(skip);
  const error = assertThrows(() => sent.recv(skip, { timeoutSeconds: 0.01 }), DOMException);
  assertEquals(error.name, "TimeoutError");
  const server = new Server(channel);
  server.operate(OPCODE, increment);
  assert(server.runOnce());
  sent.recv(skip, { timeoutSeconds: 0 });
  assert(client.id !== patient.id);
});

Deno.test("A wait ends with the reason of its signal", async () => {
  const client = new Client(Channel.create({ portCount: 1, laneCount: 1 }));
  const signal = AbortSignal.abort(new Error("called off"));
  assertThrows(
    () => client.call(OPCODE, { fill: skip, use: skip }, { signal }),
    Error,
    "called off",
  );
  const later = new AbortController();
  setTimeout(() => later.abort(new Error("changed my mind")), 5);
  const other = new Client(Channel.create({ portCount: 1, laneCount: 1 }));
  const call = () => other.callAsync(OPCODE, { fill: skip, use: skip }, { signal: later.signal });
  await assertRejects(call, Error, "changed my mind");
});

Deno.test("Client.callAsync() and Server.runAsync() share one thread's event loop", async () => {
  const channel = Channel.create({ portCount: 2, laneCount: 1 });
  const server = new Server(channel);
  server.operate(OPCODE, increment);
  const served = server.runAsync();
  const client = new Client(channel);
  const replies: number[] = [];
  const ask = (value: number) =>
    client.callAsync(OPCODE, {
      fill: (packet) => packet.setUint32(0, 0, value),
      use: (packet) => replies.push(packet.getUint32(0, 0)),
    });
  await Promise.all([10, 20, 30, 40].map(ask));
  assertEquals(replies.toSorted(), [11, 21, 31, 41]);
  channel.shutDown();
  await served;
});

Deno.test("CallError says what was asked and why it failed", () => {
  const { client } = oneThread({ portCount: 1, laneCount: 1 });
  const error = assertThrows(
    () => client.call(41_234, { fill: skip, use: skip }),
    CallError,
    "41234",
  );
  assertEquals(error.status, Status.unhandledOpcode);
});

Deno.test("Client.reopen() begins a new call with the object of a closed port", () => {
  const client = new Client(Channel.create({ portCount: 2, laneCount: 8 }));
  const port = client.open(OPCODE);
  assertThrows(() => client.reopen(port, OPCODE), InvariantError, "one port at a time");
  port.close();
  const again = client.reopen(port, OPCODE, { mask: laneMask(5) });
  again.use(({ firstLane }) => assertEquals(firstLane, 5));
  assertThrows(() => client.open(-1), RangeError);
  assertEquals([again.isOpen, again.outbox], [true, 0]);
  again.close();
});

Deno.test("Client.reopen() refuses the object of another client's port", () => {
  const client = new Client(Channel.create({ portCount: 1, laneCount: 1 }));
  const other = new Client(Channel.create({ portCount: 4, laneCount: 1 }));
  const port = client.open(OPCODE);
  port.close();
  assertThrows(() => other.reopen(port, OPCODE), InvariantError, "the client that made it");
});

Deno.test("Client: the packet of a fill that is asynchronous is used for no other call", () => {
  const { client, server } = oneThread({ portCount: 1, laneCount: 1 });
  const seen: number[] = [];
  server.operate(OPCODE, (packet) => void seen.push(packet.getUint32(0, 0)));
  const late = (() => Promise.resolve()) as unknown as () => void;
  const fill = (packet: Packet) => packet.setUint32(0, 0, 7 + seen.length);
  for (
    const misuse of [
      () => client.cast(OPCODE, late),
      () => client.call(OPCODE, { fill: late, use: skip }),
      () => client.call(OPCODE, { fill: skip, use: late }),
    ]
  ) {
    seen.length = 0;
    assertThrows(misuse, TypeError, "must be synchronous");
    seen.length = 0;
    client.cast(OPCODE, fill);
    assert(server.runOnce());
    client.call(OPCODE, { fill, use: (packet) => seen.push(packet.getUint32(0, 0)) });
    assertEquals(seen, [7, 8, 8]);
  }
});

Deno.test("A port whose fill is asynchronous goes on with another packet object, for the same lanes", () => {
  const { client } = oneThread({ portCount: 1, laneCount: 64 });
  const mask = laneMask(1, 40);
  const port = client.open(OPCODE, { mask });
  const seen: Packet[] = [];
  const late = ((packet: Packet) => {
    seen.push(packet);
    return Promise.resolve();
  }) as unknown as () => void;
  assertThrows(() => port.send(late), TypeError, "must be synchronous");
  port.send((packet) => seen.push(packet));
  assert(seen[0] !== seen[1]);
  assertEquals(seen[1]!.mask, mask);
});

Deno.test("Client.cast() fills the packet of its own port, for the lanes that it was given", () => {
  const { client, server } = oneThread({ portCount: 3, laneCount: 4 });
  const seen: unknown[] = [];
  server.operate(OPCODE, (packet) => {
    packet.forEachLane((lane) => seen.push([packet.index, lane, packet.getUint32(lane, 0)]));
  });
  const held = client.open(OPCODE);
  const lanes: number[] = [];
  const fill = (packet: Packet) =>
    packet.forEachLane((lane) => {
      lanes.push(lane);
      packet.setUint32(lane, 0, 10 + lane);
    });
  client.cast(OPCODE, fill, { mask: laneMask(1, 3) });
  assert(server.runOnce());
  client.call(OPCODE, { fill, use: skip }, { mask: laneMask(2) });
  const index = (seen[0] as number[])[0]!;
  assert(index !== held.index);
  assertEquals([lanes, seen.slice(0, 2)], [[1, 3, 2], [[index, 1, 11], [index, 3, 13]]]);
  assertEquals((seen[2] as number[]).slice(1), [2, 12]);
});
