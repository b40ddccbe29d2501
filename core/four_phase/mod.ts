/**
 * The four-phase protocol of hostrpc (2020): two mailboxes a port that go up and come down again, and
 * garbage that each side collects. Its page is PROTOCOL.md.
 *
 * @module
 */
export { FOUR_PHASE } from "./four_phase.ts";
export { PacketChannel } from "../one_packet/packet_channel.ts";
