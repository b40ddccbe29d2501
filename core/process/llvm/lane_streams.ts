import type { Packet } from "../../memory/packet.ts";
import { joined } from "../../signature/wire/variadic_bytes.ts";
import type { Handler } from "../../toggle/server/service_table.ts";

/** The longest path, command or format, with its NUL: Linux has 4096 and 131072. */
export const TEXT_BYTES_MAX = 1 << 17;

/** A server's port on LLVM's wire. */
export type LlvmPort = Parameters<Handler>[0];

/**
 * Receives a stream of any length, in parts: one that was refused in the middle would be taken for new
 * calls, packet by packet, as nothing in LLVM's memory tells the rest of a call from a call.
 *
 * @param take called with copies, each as long as its lane has announced in all
 */
export function recvEach(port: LlvmPort, take: (lane: number, bytes: Uint8Array) => void): void {
  const left: bigint[] = [];
  let longest = 0n;
  let headBytes = 8;
  do {
    let roomBytes = 0;
    port.recv((packet) => {
      roomBytes = packet.laneWords * 4 - headBytes;
      packet.forEachLane((lane) => {
        if (headBytes > 0) left[lane] = word(packet, lane, 0);
        const bytesLeft = left[lane]!;
        if (bytesLeft > longest) longest = bytesLeft;
        const count = bytesLeft < BigInt(roomBytes) ? Number(bytesLeft) : roomBytes;
        left[lane] = bytesLeft - BigInt(count);
        take(lane, packet.laneBytes(lane).slice(headBytes, headBytes + count));
      });
    });
    longest -= BigInt(roomBytes);
    headBytes = 0;
  } while (longest > 0n);
}

/** The streams of the lanes, each up to so many bytes: what is behind them is received, and not kept. */
export function recvBytes(port: LlvmPort, bytesMax: number): (Uint8Array | undefined)[] {
  const parts: Uint8Array[][] = [];
  const bytes: number[] = [];
  recvEach(port, (lane, part) => {
    const before = bytes[lane] ??= 0;
    const ofLane = parts[lane] ??= [];
    // Else a stream without end would keep an empty piece of each packet.
    if (before === bytesMax) return;
    const kept = part.subarray(0, bytesMax - before);
    ofLane.push(kept);
    bytes[lane] = before + kept.length;
  });
  return parts.map(joined);
}

/** A text a lane, as C has it: up to its NUL, or to the longest that this server keeps. */
export function recvTexts(port: LlvmPort): (string | undefined)[] {
  return recvBytes(port, TEXT_BYTES_MAX).map((bytes) =>
    bytes && new TextDecoder().decode(untilNul(bytes))
  );
}

/** What a text of C has in front of its NUL. */
export function untilNul(bytes: Uint8Array): Uint8Array {
  const end = bytes.indexOf(0);
  return end < 0 ? bytes : bytes.subarray(0, end);
}

/** A word of 64 bits of a lane. */
export function word(packet: Packet, lane: number, index: number): bigint {
  const high = BigInt(packet.getUint32(lane, 2 * index + 1));
  return high << 32n | BigInt(packet.getUint32(lane, 2 * index));
}

/** Writes the first words of 64 bits of a lane. */
export function setWords(packet: Packet, lane: number, words: readonly bigint[]): void {
  words.forEach((value, index) => {
    packet.setUint32(lane, 2 * index, Number(BigInt.asUintN(32, value)));
    packet.setUint32(lane, 2 * index + 1, Number(BigInt.asUintN(32, value >> 32n)));
  });
}
