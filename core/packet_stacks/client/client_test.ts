import { assertEquals, assertThrows } from "@std/assert";
import type { WaiterName } from "../../wait/strategy.ts";
import { Channel } from "../channel.ts";
import { Phase } from "../layout.ts";
import { Server } from "../server/server.ts";
import { NO_LINK } from "../tagged_link.ts";
import { Client } from "./client.ts";

const OPCODE = 40_000;

function begin() {
  const channel = Channel.create({ packetCount: 1, laneCount: 1 });
  const { words, layout: { freeTopWord, readyTopWord, phaseWord } } = channel;
  /** Whether it is on the free stack, whether on the ready stack, and its phase. */
  const place = () => [
    words.load(freeTopWord) !== NO_LINK,
    words.load(readyTopWord) !== NO_LINK,
    words.load(phaseWord),
  ];
  return { channel, place, client: new Client(channel), server: new Server(channel) };
}

Deno.test("packet stacks: one call, where the packet is at every step", () => {
  const { place, client, server } = begin();
  server.operate(OPCODE, () => assertEquals(place(), [false, false, Phase.ready]));
  assertEquals(place(), [true, false, Phase.answered]);
  const call = client.tryPost(OPCODE, () => assertEquals(place(), [false, false, 0]))!;
  assertEquals(place(), [false, true, Phase.ready]);
  server.serveOnce();
  assertEquals(place(), [false, false, Phase.answered]);
  call.tryFinish(() => {});
  assertEquals(place(), [true, false, Phase.answered]);
});

Deno.test("packet stacks: whoever comes last frees the packet of a call that was left", () => {
  const { place, client, server } = begin();
  server.operate(OPCODE, () => {});
  for (const isServedFirst of [true, false]) {
    const call = client.tryPost(OPCODE, () => {})!;
    if (isServedFirst) server.serveOnce();
    call.leave();
    assertEquals(place(), isServedFirst ? [true, false, 0] : [false, true, Phase.left]);
    server.serveOnce();
    assertEquals(place(), [true, false, Phase.answered]);
  }
});

Deno.test("packet stacks Client refuses a waiter that there is not", () => {
  const { channel } = begin();
  assertThrows(() => new Client(channel, { waiter: "nap" as WaiterName }), TypeError, "nap");
});
