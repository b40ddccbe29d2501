/**
 * The port protocol: calls from one side of a shared memory to the other, by packets whose ownership
 * moves with the toggle of a bit. Importable by URL; no packages. `docs/calls.md` has all verbs in a
 * table; what this protocol is made of is in `core/internal.ts`.
 *
 * @module
 */
// The memory that both sides share.
export { Channel } from "./toggle/channel.ts";
export type { ChannelHandle } from "./toggle/channel_handle.ts";
export type { ChannelShape } from "./toggle/layout.ts";
// The side that calls.
export { Client } from "./toggle/client/client.ts";
export type { CallOptions } from "./toggle/client/client_call.ts";
export { ClientPort } from "./toggle/client/client_port.ts";
export { CallError } from "./call/call_error.ts";
export { InvariantError } from "./memory/assert.ts";
export { Status } from "./memory/status.ts";
// The side that serves.
export { Server } from "./toggle/server/server.ts";
export { ServiceRegistry } from "./toggle/server/service_registry.ts";
export type { ServerOptions } from "./toggle/server/server.ts";
export { ServerPort } from "./toggle/server/server_port.ts";
export type {
  AsyncContext,
  AsyncHandler,
  AsyncOptions,
  Handler,
} from "./toggle/server/service_table.ts";
export type { FaultReport } from "./toggle/server/dispatch.ts";
export { Pending } from "./toggle/pending/pending.ts";
export { Opcode, USER_OPCODE_FIRST } from "./memory/opcode.ts";
// Packets, and the lanes that take part.
export { type CallWork, Packet, type PacketWork } from "./memory/packet.ts";
export type { PacketColumn } from "./memory/columns/packet_column.ts";
export { type LaneMask, laneMask } from "./memory/lane_mask.ts";
// Streams of each lane, on a port.
export {
  recvStream,
  recvStreamAsync,
  type RecvStreamOptions,
  sendStream,
  sendStreamAsync,
  type SendStreamOptions,
} from "./call/stream.ts";
// Values.
export { cloneCodec, jsonCodec, type ValueCodec } from "./call/codec.ts";
export type { CodecOptions } from "./call/message.ts";
// How long to wait, how, and how much to take.
export type { WaitOptions } from "./wait/deadline.ts";
export type { WaiterName } from "./wait/strategy.ts";
export { LengthRefusedError, type LimitOptions } from "./call/limit.ts";
// Servers in workers, and how workers leave.
export { ServerHandle, startServer, type StartServerOptions } from "./worker/start_server.ts";
export { evictClient, type EvictOptions, type LeaveReport } from "./toggle/evict.ts";
