import { assertEquals, assertThrows } from "@std/assert";
import type { WaiterName } from "../wait/strategy.ts";
import { FOUR_PHASE } from "./four_phase.ts";

const OPCODE = 40_000;

Deno.test("FOUR_PHASE: one synchronous call, the mailboxes of both sides at every step", () => {
  const channel = FOUR_PHASE.create({ packetCount: 1, laneCount: 1 });
  const { words, layout: { clientOutboxWord, serverOutboxWord } } = channel;
  const mailboxes = () => [words.load(clientOutboxWord), words.load(serverOutboxWord)];
  const server = FOUR_PHASE.server(channel);
  server.operate(OPCODE, () => assertEquals(mailboxes(), [1, 0], "the server works"));
  const call = FOUR_PHASE.client(channel).tryPost(OPCODE, () => assertEquals(mailboxes(), [0, 0]))!;
  assertEquals(mailboxes(), [1, 0], "client post");
  assertEquals(server.runOnce(), true);
  assertEquals(mailboxes(), [1, 1], "server post");
  call.tryFinish(() => assertEquals(mailboxes(), [1, 1], "the client uses the result"));
  assertEquals(mailboxes(), [0, 1], "client post");
  assertEquals(server.runOnce(), false, "only a call counts as work");
  assertEquals(mailboxes(), [0, 0], "server post: garbage collected");
});

Deno.test("FOUR_PHASE: an asynchronous call's garbage is collected by whoever looks for a port", () => {
  const channel = FOUR_PHASE.create({ packetCount: 1, laneCount: 1 });
  const server = FOUR_PHASE.server(channel);
  server.operate(OPCODE, () => {});
  assertEquals(FOUR_PHASE.client(channel).tryCast(OPCODE, () => {}), true);
  assertEquals(server.runOnce(), true);
  const other = FOUR_PHASE.client(channel);
  assertEquals(other.tryCast(OPCODE, () => {}), false, "it collects, and says no");
  assertEquals(server.runOnce(), false, "the server cleans up");
  assertEquals(other.tryCast(OPCODE, () => {}), true);
});

Deno.test("FOUR_PHASE.client() rejects an unknown waiter", () => {
  const channel = FOUR_PHASE.create({ packetCount: 1, laneCount: 1 });
  assertThrows(() => FOUR_PHASE.client(channel, { waiter: "nap" as WaiterName }), TypeError, "nap");
});

Deno.test("FOUR_PHASE: create, attach, and the kind of its handle", () => {
  const { handle } = FOUR_PHASE.create({ packetCount: 2, laneCount: 1 });
  assertEquals(handle.kind, "portlab.four_phase");
  assertEquals(FOUR_PHASE.attach(structuredClone(handle)).layout.packetCount, 2);
  assertThrows(
    () => FOUR_PHASE.attach({ ...handle, kind: "portlab.gwht" }),
    TypeError,
    "four_phase",
  );
});
