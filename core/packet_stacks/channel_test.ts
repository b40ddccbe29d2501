import { assertEquals, assertThrows } from "@std/assert";
import { Channel } from "./channel.ts";
import { Stacks } from "./stacks.ts";

Deno.test("packet stacks Channel: all packets are free, lowest first; attach finds them", () => {
  const { handle } = Channel.create({ packetCount: 3, laneCount: 1 });
  assertEquals(handle.kind, "portlab.packet_stacks");
  const stacks = new Stacks(Channel.attach(handle));
  const taken = Array.from({ length: 4 }, () => stacks.tryTakeFree());
  assertEquals(taken, [0, 1, 2, undefined]);
  assertThrows(() => Channel.attach({ ...handle, packetCount: 2 }), TypeError, "packet_stacks");
});
