import type { PacketStrides } from "./packet_views.ts";

/** The words of a packet, as words and as bytes, and their strides. */
export interface LaneMemory extends PacketStrides {
  readonly uint32: Uint32Array;
  readonly uint8: Uint8Array;
}

/** A part of a lane: its bytes from `laneByte` on. */
export interface LanePlace {
  readonly lane: number;
  readonly laneByte: number;
}

/** Copies `source` into the bytes of a lane, whose words may lie apart. */
export function writeLaneBytes(memory: LaneMemory, place: LanePlace, source: Uint8Array): void {
  const { uint32, uint8, wordStride } = memory;
  if (wordStride === 1) return uint8.set(source, byteOf(memory, place, 0));
  const words = wordsOf(place, source);
  let word = byteOf(memory, place, 0) / 4;
  for (let from = 0; from < words.length; from++, word += wordStride) uint32[word] = words[from]!;
  for (let from = words.length * 4; from < source.length; from++) {
    uint8[byteOf(memory, place, from)] = source[from]!;
  }
}

/** Fills `target` with bytes of a lane, whose words may lie apart. */
export function readLaneBytes(memory: LaneMemory, place: LanePlace, target: Uint8Array): void {
  const { uint32, uint8, wordStride } = memory;
  if (wordStride === 1) {
    const byte = byteOf(memory, place, 0);
    return target.set(uint8.subarray(byte, byte + target.length));
  }
  const words = wordsOf(place, target);
  let word = byteOf(memory, place, 0) / 4;
  for (let to = 0; to < words.length; to++, word += wordStride) words[to] = uint32[word]!;
  for (let to = words.length * 4; to < target.length; to++) {
    target[to] = uint8[byteOf(memory, place, to)]!;
  }
}

function byteOf(strides: PacketStrides, { lane, laneByte }: LanePlace, offset: number): number {
  const byte = laneByte + offset;
  const word = lane * strides.laneStride + Math.floor(byte / 4) * strides.wordStride;
  return word * 4 + byte % 4;
}

/** The user's bytes as words, which copy four times as fast; empty when either end is not aligned. */
function wordsOf({ laneByte }: LanePlace, { buffer, byteOffset, length }: Uint8Array): Uint32Array {
  const isAligned = (laneByte | byteOffset) % 4 === 0;
  return new Uint32Array(
    buffer,
    isAligned ? byteOffset : 0,
    isAligned ? Math.floor(length / 4) : 0,
  );
}
