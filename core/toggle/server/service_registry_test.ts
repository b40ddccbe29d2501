import { assertEquals, assertThrows } from "@std/assert";
import { CallError } from "../../call/call_error.ts";
import type { Packet } from "../../memory/packet.ts";
import { increment } from "../../testing/conformance/services.ts";
import { oneThread } from "../../testing/fixtures/one_thread.ts";

const OPCODE = 40_000;
function skip(): void {}

function callAndRead(client: ReturnType<typeof oneThread>["client"], opcode = OPCODE): number {
  let reply = -1;
  client.call(opcode, {
    fill: (packet: Packet) => packet.setUint32(0, 0, 1),
    use: (packet: Packet) => reply = packet.getUint32(0, 0),
  });
  return reply;
}

Deno.test("Server.register() replaces, and Server.unregister() takes away, while clients call", () => {
  const { client, server } = oneThread({ portCount: 1, laneCount: 1 });
  assertThrows(() => callAndRead(client), CallError);
  server.operate(OPCODE, increment);
  assertEquals(callAndRead(client), 2);
  server.register(OPCODE, (port) => void port.recvAndSend((packet) => packet.setUint32(0, 0, 9)));
  assertEquals(callAndRead(client), 9);
  assertEquals([server.unregister(OPCODE), server.unregister(OPCODE)], [true, false]);
  assertThrows(() => callAndRead(client), CallError);
});

Deno.test("Server.register() refuses an opcode out of range", () => {
  const { server } = oneThread({ portCount: 1, laneCount: 1 });
  for (const opcode of [-1, 65536, 0.5]) {
    assertThrows(() => server.register(opcode, skip), RangeError, String(opcode));
    assertThrows(() => server.operate(opcode, skip), RangeError, String(opcode));
  }
});
