import { assertEquals } from "@std/assert";
import { Channel } from "../channel.ts";
import { Client } from "../client/client.ts";
import { Server } from "./server.ts";

const OPCODE = 40_000;

Deno.test("four-phase Server: no port is passed over, however often others call", () => {
  const channel = Channel.create({ packetCount: 3, laneCount: 1 });
  const client = new Client(channel);
  const server = new Server(channel);
  const served: number[] = [];
  server.operate(OPCODE, ({ index }) => void served.push(index));
  for (let call = 0; call < 3; call++) client.tryCast(OPCODE, () => {});
  // The first port is posted to again and again; the others have their turn all the same.
  for (let round = 0; round < 6; round++) {
    server.serveOnce();
    client.tryCast(OPCODE, () => {});
    client.tryCast(OPCODE, () => {});
  }
  assertEquals(served.slice(0, 3), [0, 1, 2]);
});
