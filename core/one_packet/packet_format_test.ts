import { assertEquals, assertThrows } from "@std/assert";
import { COMMAND_RING } from "../command_ring/command_ring.ts";
import { FOUR_PHASE } from "../four_phase/four_phase.ts";
import { GWHT } from "../gwht/gwht.ts";
import { PACKET_STACKS } from "../packet_stacks/packet_stacks.ts";

const SHAPE = { packetCount: 3, laneCount: 2 };

Deno.test("PacketFormat: a handle leads to the same memory", () => {
  const channel = FOUR_PHASE.create(SHAPE);
  const other = FOUR_PHASE.attach(structuredClone(channel.handle));
  assertEquals(other.layout, channel.layout);
  channel.stop();
  assertEquals(other.isStopped, true);
});

Deno.test("PacketFormat: the control region begins with the version and the shape", () => {
  const { words, layout: { controlWord } } = FOUR_PHASE.create(SHAPE);
  assertEquals([1, 2, 3].map((word) => words.load(controlWord + word)), [1, 3, 2]);
});

Deno.test("PacketFormat.attach() rejects a handle of another kind, or of another memory", () => {
  const { handle } = FOUR_PHASE.create(SHAPE);
  const wrong: readonly (typeof handle)[] = [
    { ...handle, kind: "portlab.channel" },
    { ...handle, packetCount: 4 },
    { ...handle, laneCount: 1 },
    { ...handle, buffer: new ArrayBuffer(8) as unknown as SharedArrayBuffer },
    { ...handle, buffer: new SharedArrayBuffer(handle.buffer.byteLength) },
  ];
  for (const one of wrong) assertThrows(() => FOUR_PHASE.attach(one), TypeError, "Cannot attach");
  assertThrows(() => FOUR_PHASE.attach({ ...handle, laneCount: 0 }), RangeError, "laneCount");
});

Deno.test("PacketFormat.attach() looks at each word by which the memory is recognized", () => {
  const { handle, layout, words } = FOUR_PHASE.create(SHAPE);
  for (const word of [0, 1, 2, 3].map((word) => layout.controlWord + word)) {
    const held = words.exchange(word, 77);
    assertThrows(() => FOUR_PHASE.attach(handle), TypeError, "its memory");
    words.store(word, held);
    assertEquals(FOUR_PHASE.attach(handle).words.load(word), held);
  }
});

const PROTOCOLS = { FOUR_PHASE, GWHT, COMMAND_RING, PACKET_STACKS };
for (const [name, protocol] of Object.entries(PROTOCOLS)) {
  Deno.test(`${name}.attach() says which handle it must be`, () => {
    for (const one of [null, undefined, 5, {}, { kind: "portlab.channel" }, { kind: Symbol() }]) {
      const attach = () => protocol.attach(one as never);
      assertThrows(attach, TypeError, "Cannot attach to a channel as the handle must be one of");
    }
  });
}
