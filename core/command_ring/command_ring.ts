import { PacketFormat } from "../one_packet/packet_format.ts";
import { type RingLayout, ringLayout, type RingShape } from "./layout.ts";

/**
 * Creates command rings, shared memories into which clients write commands that one host reads, and
 * attaches to them.
 */
export const COMMAND_RING: PacketFormat<RingShape, RingLayout> = new PacketFormat({
  kind: "portlab.command_ring",
  magic: 0x52494e47, // "RING"
  layout: ringLayout,
});
