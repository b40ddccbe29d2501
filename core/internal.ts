/**
 * Internal: what the other entries are made of, for scenarios that measure it, pictures of a channel and
 * explorers of the protocol. It may change with any version.
 *
 * @module
 */
// The layout of a channel, and a look at it.
export {
  CHANNEL_MAGIC,
  type ChannelLayout,
  channelLayout,
  ChannelState,
  ControlWord,
} from "./toggle/layout.ts";
export {
  type ChannelDesign,
  DESIGN_AXES,
  type DesignAxis,
  designFault,
} from "./toggle/design/channel_design.ts";
export { drawLayout } from "./toggle/draw_layout.ts";
export { type PortSnapshot, snapshotPort } from "./toggle/port_snapshot.ts";
export type { Side } from "./toggle/side.ts";
// Words, packets and lanes.
export { SharedWords, type Words } from "./memory/words.ts";
export { HEADER_WORDS } from "./memory/port_headers.ts";
export { fullMask, LANE_COUNT_MAX } from "./memory/lane_mask.ts";
export { PACKET_LAYOUTS, type PacketLayout } from "./memory/packet_views.ts";
export type { SyncResult } from "./memory/sync_result.ts";
// Waiting.
export { Deadline } from "./wait/deadline.ts";
export type { PortWaiter, WaitGuard } from "./wait/inbox_waiter.ts";
export type { WaitEnd } from "./wait/wait_end.ts";
export { WAITER_NAMES } from "./wait/strategy.ts";
// What ports and calls are made of.
export type { CallErrorReason } from "./call/call_error.ts";
export type {
  AsyncReceivingPort,
  AsyncSendingPort,
  FormedPort,
  ReceivingPort,
  SendingPort,
  StreamedPort,
} from "./call/stream.ts";
export type { PartsWork } from "./call/stream_parts.ts";
export type { PendingSteps } from "./toggle/pending/pending.ts";
export type { Holder, Port } from "./toggle/port.ts";
export { CallAbandonedError, ClientLateError } from "./toggle/server/server_side.ts";
// Leaving a channel.
export { evictServer } from "./toggle/evict.ts";
export { reclaimClient, reclaimServer } from "./toggle/reclaim.ts";
// How the lines of `fns` become signatures.
export type {
  KindOf,
  KindsOf,
  NamesOf,
  SignatureIn,
  SignatureOf,
  WordsOf,
} from "./signature/declare/fns.ts";
export type { OneOf } from "./signature/declare/value.ts";
// The same protocol on one page.
export * as onePage from "./toggle/one_page.ts";
