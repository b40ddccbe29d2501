/**
 * The four-phase protocol of hostrpc (2020): two mailboxes a port that go up and come down again, and
 * garbage that each side collects. Its page is PROTOCOL.md.
 *
 * @module
 */
export { Channel } from "./channel.ts";
export { Client } from "./client/client.ts";
export { type FourPhaseLayout, fourPhaseLayout } from "./layout.ts";
export { Server } from "./server/server.ts";
