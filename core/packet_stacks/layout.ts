import { Regions } from "../memory/regions.ts";
import { type PacketMemory, type PacketShape, takePackets } from "../one_packet/packet_channel.ts";

/**
 * Every offset and size of a channel of packet stacks, in words from the start of the buffer. Frozen,
 * and the same in every isolate for the same shape.
 *
 * ```text
 * freeTop    1 word                           clients and servers, by compare-exchange
 * readyTop   1 word                           clients push, by compare-exchange; a server takes all
 * next       packetCount x u32                holder of the packet: the link below it on its stack
 * tag        packetCount x u32                holder of the packet: how often it was freed
 * phase      packetCount x u32                see `Phase`
 * control    128 words                        see `ControlWord`
 * parked     packetCount x u32                client sets it, its waker clears it
 * headers    packetCount x 16 B               holder of the packet
 * packets    packetCount x laneCount x 64 B   holder of the packet
 * ```
 */
export interface StacksLayout extends PacketMemory {
  readonly freeTopWord: number;
  readonly readyTopWord: number;
  readonly nextWord: number;
  readonly tagWord: number;
  readonly phaseWord: number;
}

/** The owner of a packet that was pushed on the ready stack: AMD's READY bit, and one value more. */
export const Phase = {
  /** Answered, or never sent: the client that holds the packet owns it. */
  answered: 0,
  /** The server owns it; a client waits for the answer. */
  ready: 1,
  /** The server owns it and frees it, as no client waits. */
  left: 2,
} as const;

/**
 * Lays out a channel.
 *
 * @throws {RangeError} when a count is not an integer within its bounds
 */
export function stacksLayout(shape: PacketShape): StacksLayout {
  const { packetCount } = shape;
  const regions = new Regions();
  return Object.freeze({
    freeTopWord: regions.take(1),
    readyTopWord: regions.take(1),
    nextWord: regions.take(packetCount),
    tagWord: regions.take(packetCount),
    phaseWord: regions.take(packetCount),
    ...takePackets(regions, shape),
  });
}
