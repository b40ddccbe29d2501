import { assertEquals, assertThrows } from "@std/assert";
import type { WaiterName } from "../wait/strategy.ts";
import { Phase } from "./layout.ts";
import { NO_LINK, Stacks } from "./stacks.ts";
import { PACKET_STACKS } from "./packet_stacks.ts";

const OPCODE = 40_000;

function begin() {
  const channel = PACKET_STACKS.create({ packetCount: 1, laneCount: 1 });
  const { words, layout: { freeTopWord, readyTopWord, phaseWord } } = channel;
  /** Whether it is on the free stack, whether on the ready stack, and its phase. */
  const place = () => [
    words.load(freeTopWord) !== NO_LINK,
    words.load(readyTopWord) !== NO_LINK,
    words.load(phaseWord),
  ];
  return {
    channel,
    place,
    client: PACKET_STACKS.client(channel),
    server: PACKET_STACKS.server(channel),
  };
}

Deno.test("PACKET_STACKS: one call, where the packet is at every step", () => {
  const { place, client, server } = begin();
  server.operate(OPCODE, () => assertEquals(place(), [false, false, Phase.ready]));
  assertEquals(place(), [true, false, Phase.answered]);
  const call = client.tryPost(OPCODE, () => assertEquals(place(), [false, false, 0]))!;
  assertEquals(place(), [false, true, Phase.ready]);
  server.runOnce();
  assertEquals(place(), [false, false, Phase.answered]);
  call.tryFinish(() => {});
  assertEquals(place(), [true, false, Phase.answered]);
});

Deno.test("PACKET_STACKS: whoever comes last frees the packet of a call that was left", () => {
  const { place, client, server } = begin();
  server.operate(OPCODE, () => {});
  for (const isServedFirst of [true, false]) {
    const call = client.tryPost(OPCODE, () => {})!;
    if (isServedFirst) server.runOnce();
    call.leave();
    assertEquals(place(), isServedFirst ? [true, false, 0] : [false, true, Phase.left]);
    server.runOnce();
    assertEquals(place(), [true, false, Phase.answered]);
  }
});

Deno.test("PACKET_STACKS.client() rejects an unknown waiter", () => {
  const { channel } = begin();
  assertThrows(
    () => PACKET_STACKS.client(channel, { waiter: "nap" as WaiterName }),
    TypeError,
    "nap",
  );
});

Deno.test("PACKET_STACKS: calls are served in the order in which they came", () => {
  const channel = PACKET_STACKS.create({ packetCount: 4, laneCount: 1 });
  const client = PACKET_STACKS.client(channel);
  const server = PACKET_STACKS.server(channel);
  const served: number[] = [];
  server.operate(OPCODE, (packet) => void served.push(packet.getUint32(0, 0)));
  const cast = (value: number) => client.tryCast(OPCODE, (packet) => packet.setUint32(0, 0, value));
  for (const value of [1, 2, 3]) cast(value);
  server.runOnce();
  cast(4);
  while (server.runOnce());
  assertEquals(served, [1, 2, 3, 4]);
});

Deno.test("PACKET_STACKS: links in a circle hold up no server", () => {
  const channel = PACKET_STACKS.create({ packetCount: 2, laneCount: 1 });
  const { words, layout: { readyTopWord, nextWord } } = channel;
  words.store(readyTopWord, 1);
  words.store(nextWord, 1);
  const server = PACKET_STACKS.server(channel);
  let count = 0;
  while (server.runOnce()) count++;
  assertEquals(count, 2);
});

Deno.test("PACKET_STACKS: all packets are free, lowest first; attach finds them", () => {
  const { handle } = PACKET_STACKS.create({ packetCount: 3, laneCount: 1 });
  assertEquals(handle.kind, "portlab.packet_stacks");
  const stacks = new Stacks(PACKET_STACKS.attach(handle));
  const taken = Array.from({ length: 4 }, () => stacks.tryTakeFree());
  assertEquals(taken, [0, 1, 2, undefined]);
  assertThrows(
    () => PACKET_STACKS.attach({ ...handle, packetCount: 2 }),
    TypeError,
    "packet_stacks",
  );
});
