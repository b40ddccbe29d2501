import { assertEquals, assertThrows } from "@std/assert";
import { InvariantError } from "../../memory/assert.ts";
import { oneThread } from "../../testing/fixtures/one_thread.ts";

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
  server.register(OPCODE, (port) => void port.send((packet) => packet.setUint32(0, 0, 7)));
  let answer = 0;
  client.call(OPCODE, { fill: skip, use: (packet) => answer = packet.getUint32(0, 0) });
  assertEquals(answer, 7);
});
