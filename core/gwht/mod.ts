/**
 * GWHT, the oldest of the family: four booleans a slot. Its page is PROTOCOL.md.
 *
 * @module
 */
export { Channel, type GwhtHandle } from "./channel.ts";
export { Client } from "./client/client.ts";
export { type GwhtLayout, gwhtLayout, type GwhtShape } from "./layout.ts";
export { Server } from "./server/server.ts";
