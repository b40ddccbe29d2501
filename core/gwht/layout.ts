import { Regions } from "../memory/regions.ts";
import { type PacketMemory, type PacketShape, takePackets } from "../one_packet/packet_channel.ts";

/**
 * Every offset and size of a GWHT channel, in words from the start of the buffer. Frozen, and the same
 * in every isolate for the same shape. A slot is a bit in each of the first five regions and a packet,
 * its page: 4096 bytes with 64 lanes.
 *
 * ```text
 * gpu       packetCount bits                client, by compare-exchange; servers poll it
 * wave      packetCount bits                client, by compare-exchange; internal to it
 * left      packetCount bits                client, by compare-exchange; internal to it
 * host      packetCount bits                server, by compare-exchange; clients poll it
 * thread    packetCount bits                server, by compare-exchange; internal to it
 * control   128 words                       see `ControlWord`
 * parked    packetCount x u32               client sets it, its waker clears it
 * headers   packetCount x 16 B              owner of the page
 * packets   packetCount x laneCount x 64 B  owner of the page
 * ```
 */
export interface GwhtLayout extends PacketMemory {
  readonly gpuWord: number;
  readonly waveWord: number;
  readonly leftWord: number;
  readonly hostWord: number;
  readonly threadWord: number;
}

/**
 * Lays out a channel.
 *
 * @throws {RangeError} when a count is not an integer within its bounds
 */
export function gwhtLayout(shape: PacketShape): GwhtLayout {
  const regions = new Regions();
  const wordCount = Math.ceil(shape.packetCount / 32);
  return Object.freeze({
    gpuWord: regions.take(wordCount),
    waveWord: regions.take(wordCount),
    leftWord: regions.take(wordCount),
    hostWord: regions.take(wordCount),
    threadWord: regions.take(wordCount),
    ...takePackets(regions, shape),
  });
}
