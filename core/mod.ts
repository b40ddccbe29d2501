/**
 * The port protocol: calls from one side of a shared memory to the other, by packets whose ownership
 * moves with the toggle of a bit. Importable by URL; no packages.
 *
 * @module
 */
export { assert, InvariantError } from "./assert.ts";
export { CallError } from "./call_error.ts";
export { Channel, type ChannelHandle } from "./channel.ts";
export { type CallOptions, Client } from "./client.ts";
export { ClientPort } from "./client_port.ts";
export { drawLayout } from "./draw_layout.ts";
export * from "./lane_mask.ts";
export * from "./layout.ts";
export type { ServerFault } from "./dispatch.ts";
export { ownsBuffer, type Side } from "./mailbox.ts";
export { checkOpcode, Opcode, OPCODE_MAX, USER_OPCODE_FIRST } from "./opcode.ts";
export { Packet } from "./packet.ts";
export type { Holder, PacketWork } from "./port.ts";
export { type PortSnapshot, snapshotPort } from "./port_snapshot.ts";
export { reclaimClient, reclaimServer } from "./reclaim.ts";
export { Server, type ServerOptions } from "./server.ts";
export type { Handler } from "./service_table.ts";
export { CallAbandoned } from "./server_ground.ts";
export { ServerPort } from "./server_port.ts";
export { ServerHandle, startServer, type StartServerOptions } from "./start_server.ts";
export { Status, statusName } from "./status.ts";
export { LengthRefused, recvBytes, type RecvBytesOptions, sendBytes } from "./stream.ts";
export { type PortWaiter, WAITER_NAMES, type WaiterName, type WaitOptions } from "./wait.ts";
export { SharedWords, type Words } from "./words.ts";
