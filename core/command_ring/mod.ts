/**
 * A command ring with return slots, after the hostcalls of a Rust demo: clients lay commands into one
 * of two buffers, and one host drains the other. Its page is PROTOCOL.md.
 *
 * @module
 */
export { COMMAND_RING } from "./command_ring.ts";
export type { RingLayout, RingShape } from "./layout.ts";
export { type NotSent, RingClient, type SubmitResult } from "./ring_client.ts";
export { type CommandWork, RingServer } from "./ring_server.ts";
export { PacketChannel } from "../one_packet/packet_channel.ts";
