/**
 * The port protocol: calls from one side of a shared memory to the other, by packets whose ownership
 * moves with the toggle of a bit. Importable by URL; no packages.
 *
 * @module
 */
export { assert, InvariantError } from "./memory/assert.ts";
export { CallError, type CallErrorReason } from "./call/call_error.ts";
export { Channel } from "./toggle/channel.ts";
export { type ChannelHandle } from "./toggle/channel_handle.ts";
export { type CallBytesOptions, type CallOptions, Client } from "./toggle/client/client.ts";
export { ClientPort } from "./toggle/client/client_port.ts";
export { evictClient, type EvictOptions, evictServer, type LeaveReport } from "./toggle/evict.ts";
export { drawLayout } from "./toggle/draw_layout.ts";
export * from "./memory/lane_mask.ts";
export * from "./toggle/layout.ts";
export {
  type ChannelDesign,
  DEFAULT_DESIGN,
  DESIGN_AXES,
  type DesignAxis,
  designFault,
} from "./toggle/design/channel_design.ts";
export { LANE_BYTES, LANE_WORDS } from "./memory/packet.ts";
export { HEADER_WORDS } from "./memory/port_headers.ts";
export type { FaultReport } from "./toggle/server/dispatch.ts";
export { Pending, type PendingSteps } from "./toggle/pending/pending.ts";
export { ownsBuffer, type Side } from "./toggle/side.ts";
export { checkOpcode, Opcode, OPCODE_MAX, USER_OPCODE_FIRST } from "./memory/opcode.ts";
export { Packet } from "./memory/packet.ts";
export { PACKET_LAYOUTS, type PacketLayout } from "./memory/packet_views.ts";
export type { PacketWords } from "./memory/packet/packet_words.ts";
export type { Holder, Port } from "./toggle/port.ts";
export type { CallWork, PacketWork } from "./memory/packet.ts";
export type { SyncResult } from "./memory/sync_result.ts";
export { type PortSnapshot, snapshotPort } from "./toggle/port_snapshot.ts";
export { reclaimClient, reclaimServer } from "./toggle/reclaim.ts";
export { Server } from "./toggle/server/server.ts";
export type { ServerOptions } from "./toggle/server/server_options.ts";
export type {
  AsyncContext,
  AsyncHandler,
  AsyncOptions,
  AsyncPacketWork,
  Handler,
} from "./toggle/server/service_table.ts";
export { CallAbandonedError, ClientLateError } from "./toggle/server/server_side.ts";
export { ServerPort } from "./toggle/server/server_port.ts";
export { ServerHandle, startServer, type StartServerOptions } from "./worker/start_server.ts";
export { ServerPool, startServers, type StartServersOptions } from "./worker/start_servers.ts";
export { Status, statusName } from "./memory/status.ts";
export {
  type AsyncReceivingPort,
  type AsyncSendingPort,
  type ReceivingPort,
  recvBytes,
  recvBytesAsync,
  type RecvBytesOptions,
  sendBytes,
  sendBytesAsync,
  type SendBytesOptions,
  type SendingPort,
  type StreamedPort,
} from "./call/stream.ts";
export type { PartsWork } from "./call/stream_window.ts";
export { jsonCodec, v8Codec, type ValueCodec } from "./call/codec.ts";
export {
  callValue,
  callValueAsync,
  type CallValueOptions,
  type ValueRequest,
} from "./toggle/value/call_value.ts";
export {
  type AsyncValueService,
  operateValue,
  operateValueAsync,
  type ValueService,
} from "./toggle/value/operate_value.ts";
export {
  type AsyncBytesOptions,
  type BytesOptions,
  ServiceRegistry,
} from "./toggle/server/service_registry.ts";
export { LengthRefusedError } from "./call/limit.ts";
export { type PortWaiter, type WaitGuard } from "./wait/inbox_waiter.ts";
export { WAITER_NAMES, type WaiterName } from "./wait/strategy.ts";
export { Deadline, type WaitOptions } from "./wait/deadline.ts";
export type { WaitEnd } from "./wait/wait_end.ts";
export { SharedWords, type Words } from "./memory/words.ts";
