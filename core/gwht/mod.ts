/**
 * GWHT, the oldest of the family: four booleans a slot. Its page is PROTOCOL.md.
 *
 * @module
 */
export { GWHT } from "./gwht.ts";
export { PacketChannel } from "../one_packet/packet_channel.ts";
