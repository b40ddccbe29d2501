import { assertEquals, assertThrows } from "@std/assert";
import { InvariantError } from "../../memory/assert.ts";
import { oneThread } from "../../testing/fixtures/one_thread.ts";
import { increment } from "../../testing/conformance/services.ts";

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
