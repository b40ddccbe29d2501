import { Regions } from "../memory/regions.ts";
import {
  checkShape,
  type PacketMemory,
  type PacketShape,
  takePackets,
} from "../one_packet/packet_channel.ts";

/**
 * Every offset and size of a channel of packet stacks, in words from the buffer's start; frozen, and
 * the same in every isolate for the same shape.
 *
 * ```text
 * freeTop    1 word                           clients and servers, by compare-exchange
 * readyTop   1 word                           clients push, by compare-exchange; a server takes all
 * next       packetCount x u32                who has the packet: the link below it on its stack
 * tag        packetCount x u32                who has the packet: how often it was freed
 * phase      packetCount x u32                see `Phase`
 * control    128 words                        see `ControlWord`
 * parked     packetCount x u32                client sets, whoever wakes it clears
 * headers    packetCount x 16 B               who has the packet
 * packets    packetCount x laneCount x 64 B   who has the packet
 * ```
 */
export interface StacksLayout extends PacketMemory {
  readonly freeTopWord: number;
  readonly readyTopWord: number;
  readonly nextWord: number;
  readonly tagWord: number;
  readonly phaseWord: number;
}

/** Whose a packet is that was pushed on the ready stack: AMD's READY bit, and one value more. */
export const Phase = {
  /** Answered, or never sent: the packet is the client's that has it. */
  answered: 0,
  /** The server's; a client waits for the answer. */
  ready: 1,
  /** The server's; nobody waits, so the server frees the packet. */
  left: 2,
} as const;

/**
 * Lays out a channel.
 *
 * @throws {RangeError} when a count is not an integer within its bounds
 *
 * @example
 * ```ts
 * import { stacksLayout } from "./layout.ts";
 * const layout = stacksLayout({ packetCount: 64, laneCount: 64 });
 * if (layout.packetWords !== 64 * 16) throw new Error("64 bytes a lane");
 * ```
 */
export function stacksLayout(shape: PacketShape): StacksLayout {
  checkShape(shape);
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
