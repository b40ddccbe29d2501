import type { PacketStrides } from "./packet_views.ts";

/** The words of a packet, as words and as bytes, and their strides. */
export interface LaneMemory extends PacketStrides {
  readonly uint32: Uint32Array;
  readonly uint8: Uint8Array;
}

/** Some bytes of a lane from `laneByte` on, and where they begin in an array of a user. */
export interface LanePiece {
  readonly lane: number;
  readonly laneByte: number;
  readonly offset: number;
  readonly lengthBytes: number;
}

/** Copies a piece of `source` into the bytes of a lane, whose words may lie apart. */
export function writeLaneBytes(memory: LaneMemory, piece: LanePiece, source: Uint8Array): void {
  const { uint32, uint8, wordStride } = memory;
  const { offset, lengthBytes } = piece;
  if (wordStride === 1) {
    const isWhole = lengthBytes === source.length;
    const bytes = isWhole ? source : source.subarray(offset, offset + lengthBytes);
    return uint8.set(bytes, byteOf(memory, piece, 0));
  }
  const words = wordsOf(piece, source);
  let word = byteOf(memory, piece, 0) / 4;
  for (let from = 0; from < words.length; from++, word += wordStride) uint32[word] = words[from]!;
  for (let from = words.length * 4; from < lengthBytes; from++) {
    uint8[byteOf(memory, piece, from)] = source[offset + from]!;
  }
}

/** Fills a piece of `target` with bytes of a lane, whose words may lie apart. */
export function readLaneBytes(memory: LaneMemory, piece: LanePiece, target: Uint8Array): void {
  const { uint32, uint8, wordStride } = memory;
  const { offset, lengthBytes } = piece;
  if (wordStride === 1) {
    // One view: a view of the target, too, would cost as much as a copy of half a kibibyte.
    const byte = byteOf(memory, piece, 0);
    return target.set(uint8.subarray(byte, byte + lengthBytes), offset);
  }
  const words = wordsOf(piece, target);
  let word = byteOf(memory, piece, 0) / 4;
  for (let to = 0; to < words.length; to++, word += wordStride) words[to] = uint32[word]!;
  for (let to = words.length * 4; to < lengthBytes; to++) {
    target[offset + to] = uint8[byteOf(memory, piece, to)]!;
  }
}

function byteOf(strides: PacketStrides, { lane, laneByte }: LanePiece, index: number): number {
  const byte = laneByte + index;
  const word = lane * strides.laneStride + Math.floor(byte / 4) * strides.wordStride;
  return word * 4 + byte % 4;
}

/** The user's bytes as words, which copy four times as fast; empty when either end is not aligned. */
function wordsOf(piece: LanePiece, { buffer, byteOffset }: Uint8Array): Uint32Array {
  const { laneByte, offset, lengthBytes } = piece;
  const isAligned = (laneByte | (byteOffset + offset)) % 4 === 0;
  return new Uint32Array(
    buffer,
    isAligned ? byteOffset + offset : 0,
    isAligned ? Math.floor(lengthBytes / 4) : 0,
  );
}
