import { assertEquals } from "@std/assert";
import { readLaneBytes, writeLaneBytes } from "./lane_bytes.ts";
import { PACKET_LAYOUTS, packetStrides } from "./packet_views.ts";

/** A place in a lane, where the user's bytes begin, and how many there are: in step with words or not. */
const COPIES = [[0, 0, 64], [1, 0, 9], [8, 1, 11], [4, 4, 7], [5, 1, 3], [3, 3, 0]] as const;

for (const packetLayout of PACKET_LAYOUTS) {
  Deno.test(`${packetLayout}: bytes of a lane are where its words have them, from any place to any`, () => {
    const packet = { laneCount: 3, packetWords: 48, packetsWord: 0, packetLayout };
    for (const [laneByte, start, count] of COPIES) {
      const uint8 = new Uint8Array(192);
      const uint32 = new Uint32Array(uint8.buffer);
      const memory = { ...packetStrides(packet), uint32, uint8 };
      const source = Uint8Array.from({ length: start + count + 2 }, (_, byte) => byte + 1);
      const sent = source.slice(start, start + count);
      const target = new Uint8Array(count + 8);
      const piece = { lane: 1, laneByte, lengthBytes: count };
      writeLaneBytes(memory, { ...piece, offset: start }, source);
      readLaneBytes(memory, { ...piece, offset: 4 }, target);
      assertEquals(target.slice(4, 4 + count), sent);
      assertEquals([target[3], target[4 + count]], [0, 0]);
      const { laneStride, wordStride } = memory;
      const words = Array.from(
        { length: 16 },
        (_, word) => uint32[laneStride + word * wordStride]!,
      );
      const lane = new Uint8Array(Uint32Array.from(words).buffer);
      assertEquals(lane.slice(laneByte, laneByte + count), sent);
      assertEquals(uint8.filter((byte) => byte > 0).length, count, "nothing else is written");
    }
  });
}
