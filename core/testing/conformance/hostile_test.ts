/** Callers and services that break the rules, by mistake or on purpose: whom it hurts, and whom not. */
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { CallError } from "../../call/call_error.ts";
import { LengthRefusedError } from "../../call/limit.ts";
import { recvStream, sendStream } from "../../call/stream.ts";
import { OPCODE_MAX, USER_OPCODE_FIRST } from "../../memory/opcode.ts";
import type { Packet, PacketWork } from "../../memory/packet.ts";
import { Status } from "../../memory/status.ts";
import { Channel } from "../../toggle/channel.ts";
import { Client } from "../../toggle/client/client.ts";
import { Server } from "../../toggle/server/server.ts";
import type { Handler } from "../../toggle/server/service_table.ts";
import { startServer } from "../../worker/start_server.ts";
import { oneThread } from "../fixtures/one_thread.ts";
import { statusOf } from "../fixtures/status_of.ts";
import { increment, TestOpcode } from "./services.ts";

const SERVICES = [new URL("./services.ts", import.meta.url)];
const OPCODE = TestOpcode.increment;
const SHAPE = { portCount: 1, laneCount: 1 };
function skip(): void {}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** A callback that goes on with its packet after it returned, which its type would not allow. */
function asynchronous(): { readonly work: PacketWork; readonly ended: Promise<void> } {
  const ended = Promise.withResolvers<void>();
  const work = async (packet: Packet) => {
    await Promise.resolve();
    packet.setUint32(0, 0, 666);
    packet.uint8.fill(255);
    packet.laneBytes(0).fill(255);
    ended.resolve();
  };
  return { work: work as unknown as PacketWork, ended: ended.promise };
}

for (const place of ["fill", "use", "cast", "send", "recv", "operate", "handler's recv"] as const) {
  Deno.test(`an asynchronous ${place} is refused, and what it writes later spoils no other call`, async () => {
    const { client, server } = oneThread({ portCount: 1, laneCount: 4 });
    server.operate(OPCODE, increment);
    const { work, ended } = asynchronous();
    server.operate(40_100, work);
    server.operatePort(40_101, (port) => void port.recv(work));
    const tries: Record<typeof place, () => unknown> = {
      fill: () => client.call(OPCODE, { fill: work, use: skip }),
      use: () => client.call(OPCODE, { fill: skip, use: work }),
      cast: () => client.cast(OPCODE, work),
      send: () => {
        using port = client.open(OPCODE);
        port.send(work);
      },
      recv: () => {
        using port = client.open(OPCODE);
        port.send(skip).recv(work);
      },
      operate: () => client.call(40_100, { fill: skip, use: skip }),
      "handler's recv": () => client.call(40_101, { fill: skip, use: skip }),
    };
    assertThrows(tries[place], Error, "must be synchronous");
    const sent = client.open(OPCODE).send((packet) => packet.setUint32(0, 0, 7));
    await ended;
    sent.recv((packet) => assertEquals([...packet.uint32.subarray(0, 2)], [8, 0])).close();
  });
}

Deno.test("a deadline is of the whole call: what one wait used up is missing in the next", async () => {
  const channel = Channel.create(SHAPE);
  const client = new Client(channel); // nobody serves
  const limit = 0.2;
  const waits: number[] = [];
  for (let repetition = 0; repetition < 3; repetition++) {
    using port = client.open(OPCODE, { timeoutSeconds: limit });
    await sleep(limit * 1000);
    const start = performance.now();
    const work = { fill: skip, use: skip };
    const error = assertThrows(() => port.sendAndRecv(work), DOMException);
    waits.push((performance.now() - start) / 1000);
    assertEquals(error.name, "TimeoutError");
    port.close();
    new Server(channel).runAll();
  }
  assert(Math.min(...waits) < limit, `waited ${waits} s more`);
});

Deno.test("recvStream() refuses a limit that is none, on both sides, before it touches the port", () => {
  const { client, server } = oneThread(SHAPE);
  const limits = [NaN, null, -1, "9"] as number[];
  for (const limitBytes of limits) {
    server.operatePort(40_100, (port) => void recvStream(port, { limitBytes }));
    assertThrows(() => client.call(40_100, { fill: skip, use: skip }), CallError, "limitBytes");
    using port = client.open(0);
    sendStream(port, [new Uint8Array(3)]);
    assertThrows(() => recvStream(port, { limitBytes }), RangeError, "limitBytes");
    assertEquals(recvStream(port, { limitBytes: 3 })[0]!.length, 3);
  }
});

Deno.test("a use that throws leaves the packet for the next receive, on the client's side", async () => {
  const channel = Channel.create(SHAPE);
  await using server = await startServer(channel, { services: SERVICES });
  using port = new Client(channel).open(OPCODE, { timeoutSeconds: 10 });
  const sent = port.send((packet) => packet.setUint32(0, 0, 1));
  for (let failure = 0; failure < 3; failure++) {
    assertThrows(() => sent.recv(() => raise("mine")), Error, "mine");
  }
  let answer = 0;
  sent.recv((packet) => answer = packet.getUint32(0, 0));
  assertEquals([answer, server.serverId > 0], [2, true]);
});

Deno.test("a use that throws leaves the packet for the next receive, on the server's side", () => {
  const { client, server } = oneThread(SHAPE);
  server.operatePort(40_100, (port) => {
    assertThrows(() => port.recv(() => raise("its own")), Error, "its own");
    port.recv((packet) => packet.setUint32(0, 0, packet.getUint32(0, 0) + 1));
  });
  let answer = 0;
  client.call(40_100, {
    fill: (packet) => packet.setUint32(0, 0, 1),
    use: (packet) => answer = packet.getUint32(0, 0),
  });
  assertEquals(answer, 2);
});

function raise(message: string): never {
  throw new Error(message);
}

Deno.test("a client that stops in the middle of a stream holds up nobody for long", async () => {
  const channel = Channel.create({ portCount: 2, laneCount: 1 });
  const options = { services: SERVICES, clientTimeoutSeconds: 0.05 };
  const server = await startServer(channel, options);
  const client = new Client(channel);
  const idle = client.open(TestOpcode.echo, { timeoutSeconds: 10 });
  const first = idle.send((packet) => packet.setUint32(0, 0, 1000)); // of which 56 bytes come
  await sleep(100);
  client.call(OPCODE, { fill: skip, use: skip }, { timeoutSeconds: 10 });
  assertEquals(statusOf(() => first.send(skip).recv(skip)), Status.clientLate);
  idle.close();
  const again = client.open(TestOpcode.echo).send((packet) => packet.setUint32(0, 0, 1000));
  channel.shutDown();
  await server.done;
  again.close();
});

Deno.test("reserved opcodes and services that are none are refused", () => {
  const { client, server } = oneThread(SHAPE);
  const reserved = [0, 1, 2, USER_OPCODE_FIRST - 1];
  for (const opcode of [...reserved, -1, 1.5, NaN, OPCODE_MAX + 1, "40000" as never]) {
    assertThrows(() => server.operatePort(opcode, skip), RangeError);
    assertThrows(() => server.operate(opcode, skip), RangeError);
    assertThrows(
      () => server.operateMessage(opcode, (bytes) => bytes, { limitBytes: 1 }),
      RangeError,
    );
    assertThrows(() => server.operatePortAsync(opcode, skip), RangeError);
    assertThrows(() => server.remove(opcode), RangeError);
  }
  for (const none of [undefined, null, 1, {}] as unknown[]) {
    assertThrows(() => server.operatePort(OPCODE, none as Handler), TypeError, "function");
    assertThrows(() => server.operate(OPCODE, none as PacketWork), TypeError, "function");
    assertThrows(
      () => server.operateMessage(OPCODE, none as () => Uint8Array, { limitBytes: 1 }),
      TypeError,
    );
  }
  assertEquals(statusOf(() => client.call(OPCODE, { fill: skip, use: skip })), 1);
  assertEquals(statusOf(() => client.call(0, { fill: skip, use: skip })), Status.ok);
});

Deno.test("a message's length that lies is refused by the server, and nothing is allocated", () => {
  const { client, server } = oneThread(SHAPE);
  server.operateMessage(40_100, (bytes) => bytes, { limitBytes: 2 ** 20 });
  const lies = [[2 ** 20 + 1, 0], [0, 1], [0xffffffff, 0xffffffff]];
  for (const [lo, hi] of lies) {
    const fill = ({ uint32 }: Packet) => uint32.set([lo!, hi!]);
    assertEquals(statusOf(() => client.call(40_100, { fill, use: skip })), Status.lengthRefused);
  }
  server.operatePort(40_101, (port) => port.use(({ uint32 }) => uint32.set([2 ** 31, 0])));
  const options = { limitBytes: 1000 };
  assertThrows(() => client.callMessage(40_101, new Uint8Array(1), options), LengthRefusedError);
});

Deno.test("what is not bytes is refused before anything is sent", async () => {
  const client = new Client(Channel.create(SHAPE));
  const others = ["text", [1, 2], new ArrayBuffer(2), new Uint16Array(2), undefined];
  for (const bytes of others as unknown as Uint8Array[]) {
    assertThrows(
      () => client.callMessage(OPCODE, bytes, { limitBytes: 8 }),
      TypeError,
      "Uint8Array",
    );
    const call = () => client.callMessageAsync(OPCODE, bytes, { limitBytes: 8 });
    await assertRejects(call, TypeError, "Uint8Array");
  }
  assertEquals(client.tryOpen(OPCODE)?.index, 0);
});
