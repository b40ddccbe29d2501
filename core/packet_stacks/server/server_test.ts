import { assertEquals } from "@std/assert";
import { Channel } from "../channel.ts";
import { Client } from "../client/client.ts";
import { Server } from "./server.ts";

const OPCODE = 40_000;

Deno.test("packet stacks Server: calls are served in the order in which they came", () => {
  const channel = Channel.create({ packetCount: 4, laneCount: 1 });
  const client = new Client(channel);
  const server = new Server(channel);
  const served: number[] = [];
  server.operate(OPCODE, (packet) => void served.push(packet.getUint32(0, 0)));
  const cast = (value: number) => client.tryCast(OPCODE, (packet) => packet.setUint32(0, 0, value));
  for (const value of [1, 2, 3]) cast(value);
  server.serveOnce();
  cast(4);
  while (server.serveOnce());
  assertEquals(served, [1, 2, 3, 4]);
});

Deno.test("packet stacks Server: links that lead round hold no server up", () => {
  const channel = Channel.create({ packetCount: 2, laneCount: 1 });
  const { words, layout: { readyTopWord, nextWord } } = channel;
  words.store(readyTopWord, 1);
  words.store(nextWord, 1);
  const server = new Server(channel);
  let count = 0;
  while (server.serveOnce()) count++;
  assertEquals(count, 2);
});
