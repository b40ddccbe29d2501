import { assertEquals, assertThrows } from "@std/assert";
import { Channel } from "./channel.ts";

Deno.test("GWHT Channel: create, attach, and the kind of its handle", () => {
  const { handle } = Channel.create({ slotCount: 2 });
  assertEquals(handle.kind, "portlab.gwht");
  assertEquals(Channel.attach(structuredClone(handle)).layout.packetCount, 2);
  assertThrows(() => Channel.attach({ ...handle, kind: "portlab.channel" }), TypeError, "gwht");
  assertThrows(() => Channel.attach({ ...handle, slotCount: 3 }), TypeError, "its memory");
});
