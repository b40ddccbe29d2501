/**
 * A command ring with return slots, after the hostcalls of a Rust demo: clients lay commands into one
 * of two buffers, and one host drains the other. Its page is PROTOCOL.md.
 *
 * @module
 */
export { Channel, type RingHandle } from "./channel.ts";
export { Client, type NotSent, type SubmitResult } from "./client/client.ts";
export { PendingResult } from "./client/pending_result.ts";
export { type RingLayout, ringLayout, type RingShape } from "./layout.ts";
export { type CommandWork, Server } from "./server/server.ts";
