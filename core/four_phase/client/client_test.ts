import { assertEquals, assertThrows } from "@std/assert";
import type { WaiterName } from "../../wait/strategy.ts";
import { Channel } from "../channel.ts";
import { Server } from "../server/server.ts";
import { Client } from "./client.ts";

const OPCODE = 40_000;

Deno.test("four-phase: one synchronous call, the mailboxes of both sides at every step", () => {
  const channel = Channel.create({ packetCount: 1, laneCount: 1 });
  const { words, layout: { clientOutboxWord, serverOutboxWord } } = channel;
  const mailboxes = () => [words.load(clientOutboxWord), words.load(serverOutboxWord)];
  const server = new Server(channel);
  server.operate(OPCODE, () => assertEquals(mailboxes(), [1, 0], "the server works"));
  const call = new Client(channel).tryPost(OPCODE, () => assertEquals(mailboxes(), [0, 0]))!;
  assertEquals(mailboxes(), [1, 0], "client post");
  assertEquals(server.serveOnce(), true);
  assertEquals(mailboxes(), [1, 1], "server post");
  call.tryFinish(() => assertEquals(mailboxes(), [1, 1], "the client uses the result"));
  assertEquals(mailboxes(), [0, 1], "client post");
  assertEquals(server.serveOnce(), false, "only a call counts as work");
  assertEquals(mailboxes(), [0, 0], "server post: garbage collected");
});

Deno.test("four-phase: an asynchronous call's garbage is collected by whoever looks for a port", () => {
  const channel = Channel.create({ packetCount: 1, laneCount: 1 });
  const server = new Server(channel);
  server.operate(OPCODE, () => {});
  assertEquals(new Client(channel).tryCast(OPCODE, () => {}), true);
  assertEquals(server.serveOnce(), true);
  const other = new Client(channel);
  assertEquals(other.tryCast(OPCODE, () => {}), false, "it collects, and says no");
  assertEquals(server.serveOnce(), false, "the server cleans up");
  assertEquals(other.tryCast(OPCODE, () => {}), true);
});

Deno.test("four-phase Client refuses a waiter that there is not", () => {
  const channel = Channel.create({ packetCount: 1, laneCount: 1 });
  assertThrows(() => new Client(channel, { waiter: "nap" as WaiterName }), TypeError, "nap");
});
