import { assertThrows } from "@std/assert";
import { InvariantError } from "../../memory/assert.ts";
import { oneThread } from "../../testing/fixtures/one_thread.ts";

const OPCODE = 40_000;

function skip(): void {}

Deno.test("ServerPort: misuse does not compile, and throws where types are dodged", () => {
  const { client, server } = oneThread({ portCount: 1, laneCount: 1 });
  client.open(OPCODE).send(skip);
  const port = server.tryOpen()!;
  // @ts-expect-error a server starts with recv
  assertThrows(() => port.send(skip), InvariantError, "starts with recv");
  port.recv(skip).close();
  assertThrows(() => port.close(), InvariantError, "the port is open");
});
