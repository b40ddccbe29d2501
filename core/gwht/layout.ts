import { LANE_COUNT_MAX } from "../memory/lane_mask.ts";
import { checkCount, Regions } from "../memory/regions.ts";
import { PACKET_COUNT_MAX, type PacketMemory, takePackets } from "../one_packet/packet_channel.ts";

/** How many slots there are. */
export interface GwhtShape {
  /** 1 to 16384: calls that are under way at once need one each. A page is 4 KiB. */
  readonly slotCount: number;
}

/**
 * Every offset and size of a GWHT channel, in words from the buffer's start; frozen, and the same in
 * every isolate for the same shape. A slot is a bit in each of the first five regions, and a page of
 * 4096 bytes: a packet of 64 lanes.
 *
 * ```text
 * gpu       slotCount bits                client, by compare-exchange; servers poll it
 * wave      slotCount bits                client, by compare-exchange; internal to it
 * left      slotCount bits                client, by compare-exchange; internal to it
 * host      slotCount bits                server, by compare-exchange; clients poll it
 * thread    slotCount bits                server, by compare-exchange; internal to it
 * answer    2 words                       clients that sleep until an answer, and their bell
 * control   128 words                     see `ControlWord`
 * parked    slotCount x u32               nobody: who waits here sleeps on a bell
 * headers   slotCount x 16 B              owner of the page
 * packets   slotCount x 4096 B            owner of the page
 * ```
 */
export interface GwhtLayout extends PacketMemory {
  readonly gpuWord: number;
  readonly waveWord: number;
  readonly leftWord: number;
  readonly hostWord: number;
  readonly threadWord: number;
  readonly answerWord: number;
}

/** Words of a bitmap of so many slots. */
export function bitmapWords(slotCount: number): number {
  return Math.ceil(slotCount / 32);
}

/**
 * Lays out a channel.
 *
 * @throws {RangeError} when the count is not an integer within its bounds
 *
 * @example
 * ```ts
 * import { gwhtLayout } from "./layout.ts";
 * if (gwhtLayout({ slotCount: 8 }).packetWords * 4 !== 4096) throw new Error("a page is 4 KiB");
 * ```
 */
export function gwhtLayout({ slotCount }: GwhtShape): GwhtLayout {
  checkCount("slotCount", slotCount, PACKET_COUNT_MAX);
  const regions = new Regions();
  const wordCount = bitmapWords(slotCount);
  return Object.freeze({
    gpuWord: regions.take(wordCount),
    waveWord: regions.take(wordCount),
    leftWord: regions.take(wordCount),
    hostWord: regions.take(wordCount),
    threadWord: regions.take(wordCount),
    answerWord: regions.take(2),
    ...takePackets(regions, { packetCount: slotCount, laneCount: LANE_COUNT_MAX }),
  });
}
