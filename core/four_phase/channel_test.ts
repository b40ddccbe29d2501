import { assertEquals, assertThrows } from "@std/assert";
import { Channel } from "./channel.ts";

Deno.test("four-phase Channel: create, attach, and the kind of its handle", () => {
  const { handle } = Channel.create({ packetCount: 2, laneCount: 1 });
  assertEquals(handle.kind, "portlab.four_phase");
  assertEquals(Channel.attach(handle).layout.packetCount, 2);
  assertThrows(() => Channel.attach({ ...handle, kind: "portlab.gwht" }), TypeError, "four_phase");
});
