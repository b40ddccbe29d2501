import { assertEquals, assertNotEquals } from "@std/assert";
import { Channel } from "./channel.ts";
import { Stacks } from "./stacks.ts";

Deno.test("Stacks: a packet comes back by the ready stack, in the order of the pushes", () => {
  const stacks = new Stacks(Channel.create({ packetCount: 3, laneCount: 1 }));
  const taken = [0, 1, 2].map(() => stacks.tryTakeFree()!);
  for (const index of [2, 0, 1]) stacks.pushReady(taken[index]!);
  assertEquals(stacks.takeReady(), [2, 0, 1]);
  assertEquals(stacks.takeReady(), []);
});

Deno.test("Stacks.free() gives the packet another link", () => {
  const channel = Channel.create({ packetCount: 1, laneCount: 1 });
  const top = () => channel.words.load(channel.layout.freeTopWord);
  const before = top();
  const stacks = new Stacks(channel);
  stacks.free(stacks.tryTakeFree()!);
  assertNotEquals(top(), before);
});
