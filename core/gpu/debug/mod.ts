/**
 * Asserts, guards and traces in ordinary shaders: `core/gpu/debug/README.md` is the guide.
 *
 * @module
 */
// A shader that checks itself.
export { type DebugModule, type DebugOptions, withDebug } from "./with_debug.ts";
export { DebugRing, type Pick, type PickedVertex, pickOf } from "./debug_ring.ts";
export type { Watch } from "./rewrite/value_watch.ts";
// What it tells.
export {
  type DebugReport,
  failureText,
  placeText,
  type ShaderFailure,
  type TraceStep,
} from "./debug_report.ts";
export type { CallFrame } from "./rewrite/call_graph.ts";
// A trace, stepped forth and back.
export {
  momentText,
  stepText,
  type TracedName,
  type TraceMoment,
  TracePlayer,
} from "./trace/trace_player.ts";
export { tracePage, TraceView } from "./trace/trace_page.ts";
