/**
 * Packet stacks, the protocol of AMD's hostcall (first version): packets wander from a stack of free
 * ones to a stack of ready ones and back. Its page is PROTOCOL.md.
 *
 * @module
 */
export { Channel } from "./channel.ts";
export { Client } from "./client/client.ts";
export { Phase, type StacksLayout, stacksLayout } from "./layout.ts";
export { Server } from "./server/server.ts";
