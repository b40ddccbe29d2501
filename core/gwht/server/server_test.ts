import { assertEquals } from "@std/assert";
import { Channel } from "../channel.ts";
import { Client } from "../client/client.ts";
import { Server } from "./server.ts";

const OPCODE = 40_000;

Deno.test("GWHT Server: no slot is passed over, however often others call", () => {
  const channel = Channel.create({ slotCount: 40 });
  const client = new Client(channel);
  const server = new Server(channel);
  const served: number[] = [];
  server.operate(OPCODE, ({ index }) => void served.push(index));
  const slots = Array.from({ length: 40 }, (_, index) => index);
  for (const _ of slots) client.tryCast(OPCODE, () => {});
  // The first slots are posted to again and again; the others have their turn all the same.
  for (const _ of slots) {
    server.serveOnce();
    client.tryCast(OPCODE, () => {});
  }
  assertEquals(served, slots);
});
