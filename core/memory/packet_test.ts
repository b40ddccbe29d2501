import { assertEquals, assertThrows } from "@std/assert";
import { InvariantError } from "./assert.ts";
import { Channel } from "../toggle/channel.ts";
import { maskOf } from "./lane_mask.ts";
import { Packet } from "./packet.ts";
import { PacketViews } from "./packet_views.ts";

function packetOf(laneCount: number, index: number) {
  const { words, layout } = Channel.create({ portCount: 3, laneCount });
  const packet = new Packet(new PacketViews(words.plain, layout));
  packet.aim(index, 1, 0);
  return { packet, words, layout };
}

Deno.test("Packet: every accessor sees the same 64 bytes of its lane", () => {
  const { packet, words, layout } = packetOf(8, 2);
  packet.setUint32(5, 3, 0xfedcba98);
  const word = layout.packetsWord + 2 * layout.packetWords + 5 * 16 + 3;
  assertEquals(words.plain[word]! >>> 0, 0xfedcba98);
  assertEquals(packet.getInt32(5, 3), 0xfedcba98 | 0);
  assertEquals(packet.uint32[5 * 16 + 3], 0xfedcba98);
  assertEquals([...packet.laneBytes(5).subarray(12, 16)], [0x98, 0xba, 0xdc, 0xfe]);
  packet.setBigUint64(5, 1, 0x0123456789abcdefn);
  assertEquals(packet.getBigUint64(5, 1), 0x0123456789abcdefn);
  packet.setFloat64(7, 7, Math.PI);
  assertEquals(packet.getFloat64(7, 7), Math.PI);
  assertEquals(packet.float64[63], Math.PI);
});

Deno.test("Packet: no access reaches beyond its lanes and words", () => {
  const { packet } = packetOf(8, 1);
  for (const [lane, word] of [[8, 0], [-1, 0], [0, 16], [0, -1]] as const) {
    assertThrows(() => packet.setUint32(lane, word, 1), InvariantError);
    assertThrows(() => packet.getUint32(lane, word), InvariantError);
  }
  assertThrows(() => packet.getFloat64(0, 8), InvariantError);
  assertThrows(() => packet.setBigUint64(0, 8, 1n), InvariantError);
  assertEquals(packet.uint32.length, 8 * 16);
});

Deno.test("Packet: an index that is no integer is refused, and not dropped or moved to another lane", () => {
  const { packet } = packetOf(8, 1);
  for (const wrong of [0.5, NaN, 2 ** 32, "0" as unknown as number]) {
    assertThrows(() => packet.setUint32(wrong, 0, 1), InvariantError);
    assertThrows(() => packet.setUint32(0, wrong, 1), InvariantError);
    assertThrows(() => packet.setFloat64(0, wrong, 1), InvariantError);
    assertThrows(() => packet.getBigUint64(0, wrong), InvariantError);
    assertThrows(() => packet.laneBytes(wrong), InvariantError);
  }
});

Deno.test("Packet: walks the lanes of full and of sparse masks", () => {
  const { packet } = packetOf(40, 0);
  const visited = () => {
    const lanes: number[] = [];
    packet.forEachLane((lane) => lanes.push(lane));
    return lanes;
  };
  const sparse = maskOf(3, 17, 31, 39);
  packet.aim(0, sparse.lo, sparse.hi);
  assertEquals([packet.isFull, packet.isMaskGood, visited()], [false, true, [3, 17, 31, 39]]);
  packet.aim(0, -1, 0xff);
  assertEquals([packet.isFull, packet.isMaskGood, visited().length], [true, true, 40]);
  packet.aim(0, 0, 0);
  assertEquals([packet.isMaskGood, visited()], [false, []]);
  packet.aim(0, 1, 0x100);
  assertEquals(packet.isMaskGood, false);
});
