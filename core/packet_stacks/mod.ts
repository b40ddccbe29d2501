/**
 * Packet stacks, the protocol of AMD's hostcall (first version): packets wander from a stack of free
 * ones to a stack of ready ones and back. Its page is PROTOCOL.md.
 *
 * @module
 */
export { PACKET_STACKS } from "./packet_stacks.ts";
export { PacketChannel } from "../one_packet/packet_channel.ts";
