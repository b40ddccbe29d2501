import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { CallError } from "../../call/call_error.ts";
import { recvStream, sendStream } from "../../call/stream.ts";
import { InvariantError } from "../../memory/assert.ts";
import { oneThread } from "../../testing/fixtures/one_thread.ts";
import { increment } from "../../testing/conformance/services.ts";
import { Channel } from "../channel.ts";
import { evictServer } from "../evict.ts";
import { Server } from "../server/server.ts";
import { Client } from "./client.ts";
import type { ClientPort } from "./client_port.ts";

const OPCODE = 40_000;

function skip(): void {}

Deno.test("ClientPort: misuse does not compile, and throws where types are dodged", () => {
  const { client, server } = oneThread({ portCount: 2, laneCount: 1 });
  server.operate(OPCODE, increment);
  const port = client.open(OPCODE);
  // @ts-expect-error a client starts with send
  assertThrows(() => port.recv(skip), InvariantError, "starts with send");
  // @ts-expect-error nothing was sent
  assertThrows(() => port.query(), InvariantError, "was sent");
  const received = port.send(skip).recv(skip);
  // @ts-expect-error nothing is under way
  assertThrows(() => received.tryRecv(skip), InvariantError, "was sent");
  received.close();
  assertThrows(() => received.close(), InvariantError, "the port is open");
  assertThrows(() => port.send(skip), InvariantError, "the port is open");
  assertThrows(() => received.recv(skip), InvariantError, "the port is open");
  // @ts-expect-error nothing is under way
  assertThrows(() => received.query(), InvariantError, "the port is open");
});

Deno.test("A port refuses to be used inside its own callback", () => {
  const { client } = oneThread({ portCount: 1, laneCount: 1 });
  using port = client.open(OPCODE);
  assertThrows(() => port.send(() => port.close()), InvariantError, "callbacks");
  assertThrows(() => port.send(() => void port.send(skip)), InvariantError, "callbacks");
  port.send(skip);
});

Deno.test("ClientPort.tryRecv() throws when no reply will come, rather than saying no for ever", async () => {
  const stopped = Channel.create({ portCount: 1, laneCount: 1 });
  using lost = new Client(stopped).open(OPCODE).send(skip);
  assertEquals(lost.tryRecv(skip), undefined);
  stopped.stop();
  assertThrows(() => lost.tryRecv(skip), CallError, "the server was shut down");
  const channel = Channel.create({ portCount: 1, laneCount: 1 });
  const [deaf, other] = [new Server(channel), new Server(channel)];
  for (const server of [deaf, other]) server.announce();
  using held = new Client(channel).open(OPCODE).send(skip);
  const serverPort = deaf.tryOpen()!;
  await evictServer(channel, deaf.id, { timeoutSeconds: 0 });
  assertThrows(() => held.query(), CallError, "the server was shut down");
  serverPort.close();
});

Deno.test("a call whose time is over says where no server runs", async () => {
  const { client, server, channel } = bothEnds();
  const limit = { timeoutSeconds: 0.01 };
  const late = () => client.callAsync(OPCODE, { fill: skip, use: skip }, limit);
  const blocked = () => client.call(OPCODE + 1, { fill: skip, use: skip }, limit);
  await assertRejects(late, DOMException, "within 0.01 s as no server is in run()");
  assertThrows(blocked, DOMException, "Cannot open a port within 0.01 s as no server is in run()");
  server.operateAsync(OPCODE, () => new Promise((resolve) => setTimeout(resolve, 50)));
  const served = server.runAsync();
  await client.callAsync(OPCODE, { fill: skip, use: skip });
  const { message } = await assertRejects(late, DOMException);
  assertEquals(message, "Cannot receive on port 0 within 0.01 s");
  channel.shutDown();
  await served;
});

Deno.test("ClientPort: one asynchronous wait at a time", async () => {
  const { client, server } = bothEnds();
  using port = client.open(OPCODE);
  const received = port.send(skip).recvAsync(skip);
  const again = port as unknown as ClientPort<"theirs">;
  for (const wait of [() => again.recvAsync(skip), () => again.sendAsync(skip)]) {
    await assertRejects(wait, InvariantError, "no other wait");
  }
  assertThrows(() => again.recv(skip), InvariantError, "no other wait");
  server.runOnce();
  await received;
});

Deno.test("ClientPort: a call that failed takes nothing but close, also where nobody blocked", async () => {
  const channel = Channel.create({ portCount: 1, laneCount: 1 });
  const [client, server] = [new Client(channel), new Server(channel)];
  const port = client.open(OPCODE).send(skip);
  const received = port.recvAsync(skip);
  server.runOnce();
  await assertRejects(() => received, CallError, "no handler");
  assertThrows(() => port.recv(skip), InvariantError, "has not failed");
  port.close();
});

Deno.test("ClientPort.close() ends a wait, which then leaves the port's next client alone", async () => {
  const { channel, client, server } = bothEnds();
  const port = client.open(OPCODE);
  const closed = assertRejects(() => port.send(skip).recvAsync(skip), DOMException, "was closed");
  port.close();
  server.runOnce();
  using next = new Client(channel).open(OPCODE);
  const received = next.send((packet) => packet.setUint32(0, 0, 1)).recvAsync((packet) => {
    assertEquals(packet.getUint32(0, 0), 2);
  }, { timeoutSeconds: 5 });
  await closed;
  server.runOnce(); // wakes nobody if the first wait took the second one's mark away
  await received;
});

Deno.test("ClientPort.close() leaves what waits alone when its object was opened again", async () => {
  const { client, server } = bothEnds();
  const port = client.open(OPCODE);
  const closed = assertRejects(() => port.send(skip).recvAsync(skip), DOMException, "was closed");
  port.close();
  server.runOnce();
  using again = client.reopen(port, OPCODE);
  await closed;
  const received = again.send(skip).recvAsync(skip);
  server.runOnce();
  await received;
});

Deno.test("streams need no cast in either order", () => {
  const limit = { limitBytes: 8 };
  const _client = (port: ClientPort<"fresh">) => {
    sendStream(port, []);
    recvStream(port, limit);
    port.send(skip).recv(skip);
    sendStream(port, []);
    port.recv(skip);
    recvStream(port, limit);
  };
  new Server(Channel.create({ portCount: 1, laneCount: 1 })).operatePort(OPCODE, (port) => {
    recvStream(port, limit);
    port.send(skip);
    recvStream(port, limit);
    sendStream(port, []);
    port.recv(skip).send(skip);
  });
});

/** On one port. */
function bothEnds() {
  const channel = Channel.create({ portCount: 1, laneCount: 1 });
  const server = new Server(channel);
  server.operate(OPCODE, increment);
  return { channel, server, client: new Client(channel) };
}

Deno.test("ClientPort.use() works on a packet that is here, and on no other", () => {
  const { client, server } = oneThread({ portCount: 1, laneCount: 1 });
  server.operate(OPCODE, increment);
  const port = client.open(OPCODE);
  port.use((packet) => packet.setUint32(0, 0, 41));
  const sent = port.send(skip);
  assertThrows(() => sent.use(skip), InvariantError, "the packet is on this side");
  let value = 0;
  sent.recv(skip).use((packet) => value = packet.getUint32(0, 0));
  assertEquals(value, 42);
  port.close();
  assertThrows(() => port.use(skip), InvariantError, "the port is open");
});

Deno.test("ClientPort.recv() whose callback throws finds the same packet again", () => {
  const { client, server } = oneThread({ portCount: 1, laneCount: 1 });
  server.operate(OPCODE, increment);
  using port = client.open(OPCODE);
  const sent = port.send((packet) => packet.setUint32(0, 0, 1));
  const fails = () => {
    throw new Error("not now");
  };
  assertThrows(() => sent.recv(fails), Error, "not now");
  assertThrows(() => sent.recv(fails), Error, "not now");
  let value = 0;
  sent.recv((packet) => value = packet.getUint32(0, 0));
  assertEquals(value, 2, "served once");
});
