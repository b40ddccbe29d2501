import { assertEquals, assertThrows } from "@std/assert";
import { Channel } from "../toggle/channel.ts";
import type { ChannelShape } from "../toggle/layout.ts";
import { InvariantError } from "./assert.ts";
import { laneMask } from "./lane_mask.ts";
import { Packet } from "./packet.ts";
import { PacketViews } from "./packet_views.ts";

function packetOf(shape: Omit<ChannelShape, "portCount">, index: number) {
  const { words, layout } = Channel.create({ portCount: 3, ...shape });
  const packet = new Packet(new PacketViews(words.plain, layout));
  packet.aim(index, 1, 0);
  return { packet, words, layout };
}

Deno.test("Packet: one that lost its memory keeps its layout", () => {
  const { packet } = packetOf({ laneCount: 4, packetLayout: "word-major" }, 2);
  packet.detach();
  assertEquals([packet.index, packet.isDetached, packet.column(3).length], [0, true, 4]);
});

Deno.test("Packet: walks the lanes of full and of sparse masks", () => {
  const { packet } = packetOf({ laneCount: 40 }, 0);
  const visited = () => {
    const lanes: number[] = [];
    packet.forEachLane((lane) => lanes.push(lane));
    return lanes;
  };
  const sparse = laneMask(3, 17, 31, 39);
  packet.aim(0, sparse.lo, sparse.hi);
  assertEquals([packet.isFull, packet.isMaskGood, visited()], [false, true, [3, 17, 31, 39]]);
  packet.aim(0, -1, 0xff);
  assertEquals([packet.isFull, packet.isMaskGood, visited().length], [true, true, 40]);
  packet.aim(0, 0, 0);
  assertEquals([packet.isMaskGood, visited()], [false, []]);
  packet.aim(0, 1, 0x100);
  assertEquals(packet.isMaskGood, false);
});

const SHAPES = [
  { laneCount: 8 },
  { laneCount: 8, packetLayout: "word-major" },
  { laneCount: 8, laneBytes: 128, packetLayout: "word-major" },
  { laneCount: 1, packetLayout: "word-major" },
  { laneCount: 8, laneBytes: 4096 },
] as const;

for (const shape of SHAPES) {
  const [lane, name] = [shape.laneCount - 1, JSON.stringify(shape)];
  const laneWords = ("laneBytes" in shape ? shape.laneBytes : 64) / 4;

  Deno.test(`Packet: every accessor sees the same bytes of its lane, ${name}`, () => {
    const { packet, words, layout } = packetOf(shape, 2);
    assertEquals([packet.laneCount, packet.laneWords], [shape.laneCount, laneWords]);
    packet.setUint32(lane, 3, 0xfedcba98);
    const word = "packetLayout" in shape ? 3 * shape.laneCount + lane : lane * laneWords + 3;
    assertEquals(
      words.plain[layout.packetsWord + 2 * layout.packetStride + word]! >>> 0,
      0xfedcba98,
    );
    assertEquals(packet.getInt32(lane, 3), 0xfedcba98 | 0);
    assertEquals(packet.uint32[word], 0xfedcba98);
    assertEquals(word, lane * packet.laneStride + 3 * packet.wordStride);
    const bytes = new Uint8Array(laneWords * 4);
    packet.readLane(lane, bytes);
    assertEquals([...bytes.subarray(12, 16)], [0x98, 0xba, 0xdc, 0xfe]);
    packet.setBigUint64(lane, 1, 0x0123456789abcdefn);
    assertEquals(packet.getBigUint64(lane, 1), 0x0123456789abcdefn);
    assertEquals([packet.getUint32(lane, 2), packet.getUint32(lane, 3)], [0x89abcdef, 0x01234567]);
    const last = laneWords / 2 - 1;
    packet.setFloat64(lane, last, Math.PI);
    assertEquals(packet.getFloat64(lane, last), Math.PI);
    packet.readLane(lane, bytes);
    assertEquals(new Float64Array(bytes.buffer)[last], Math.PI);
  });

  Deno.test(`Packet: what is written to a lane touches no other, ${name}`, () => {
    const { packet } = packetOf(shape, 1);
    const lanes = () =>
      Array.from({ length: shape.laneCount }, (_, other) => {
        const bytes = new Uint8Array(laneWords * 4);
        packet.readLane(other, bytes);
        return bytes;
      });
    packet.uint8.fill(7);
    const before = lanes();
    packet.setFloat64(lane, 0, Math.E);
    packet.setBigUint64(lane, 1, 0n);
    packet.writeLane(lane, new Uint8Array(laneWords * 4 - 17).fill(1), 17);
    assertEquals(lanes().slice(0, lane), before.slice(0, lane));
  });

  Deno.test(`Packet: no access reaches beyond its lanes and words, ${name}`, () => {
    const { packet } = packetOf(shape, 1);
    for (const [at, word] of [[lane + 1, 0], [-1, 0], [0, laneWords], [0, -1]] as const) {
      assertThrows(() => packet.setUint32(at, word, 1), InvariantError);
      assertThrows(() => packet.getUint32(at, word), InvariantError);
    }
    assertThrows(() => packet.getFloat64(0, laneWords / 2), InvariantError);
    assertThrows(() => packet.setBigUint64(0, laneWords / 2, 1n), InvariantError);
    assertThrows(() => packet.writeLane(0, new Uint8Array(laneWords * 4 + 1)), InvariantError);
    assertThrows(() => packet.readLane(0, new Uint8Array(4), laneWords * 4 - 3), InvariantError);
    assertThrows(() => packet.readLane(0, new Uint8Array(1), -1), InvariantError);
    assertThrows(() => packet.readLane(lane + 1, new Uint8Array(1)), InvariantError);
    assertEquals(packet.uint32.length, shape.laneCount * laneWords);
  });
}

Deno.test("Packet: an index that is not an integer is rejected, and not dropped or moved to another lane", () => {
  const { packet } = packetOf({ laneCount: 8 }, 1);
  for (const wrong of [0.5, NaN, 2 ** 32, "0" as unknown as number]) {
    assertThrows(() => packet.setUint32(wrong, 0, 1), InvariantError);
    assertThrows(() => packet.setUint32(0, wrong, 1), InvariantError);
    assertThrows(() => packet.setFloat64(0, wrong, 1), InvariantError);
    assertThrows(() => packet.getBigUint64(0, wrong), InvariantError);
    assertThrows(() => packet.laneBytes(wrong), InvariantError);
    assertThrows(() => packet.writeLane(0, new Uint8Array(1), wrong), InvariantError);
  }
});

Deno.test("Packet.column() is a word of all lanes where they lie together", () => {
  const { packet } = packetOf({ laneCount: 5, packetLayout: "word-major" }, 2);
  const column = packet.column(15);
  for (let lane = 0; lane < 5; lane++) packet.setUint32(lane, 15, lane + 1);
  assertEquals([...column], [1, 2, 3, 4, 5]);
  assertEquals(packet.column(15), column);
  packet.aim(1, 1, 0);
  assertEquals([...packet.column(15)], [0, 0, 0, 0, 0], "each port has its own");
  assertThrows(() => packet.column(16), InvariantError);
  assertThrows(() => packet.column(0.5), InvariantError);
  const single = packetOf({ laneCount: 1 }, 0).packet;
  single.setUint32(0, 9, 4);
  assertEquals([...single.column(9)], [4]);
  const why = "the channel's packets are lane-major";
  assertThrows(() => packetOf({ laneCount: 2 }, 0).packet.column(0), TypeError, why);
});

Deno.test("Packet: views of bytes that lie apart are rejected, those of one lane are not", () => {
  const { packet } = packetOf({ laneCount: 2, packetLayout: "word-major" }, 0);
  const why = "the channel's packets are word-major";
  assertThrows(() => packet.laneBytes(0), TypeError, why);
  assertThrows(() => packet.float64, TypeError, why);
  for (const shape of [{ laneCount: 1, packetLayout: "word-major" }, { laneCount: 2 }] as const) {
    const whole = packetOf(shape, 0).packet;
    whole.setFloat64(0, 7, Math.PI);
    assertEquals(whole.float64[7], Math.PI);
    assertEquals(new Float64Array(whole.laneBytes(0).slice(56).buffer)[0], Math.PI);
  }
});
