/**
 * Asserts in ordinary shaders: `core/gpu/debug/README.md` is the guide.
 *
 * @module
 */
// A shader that checks itself.
export { type DebugModule, type DebugOptions, withDebug } from "./with_debug.ts";
export { DebugRing } from "./debug_ring.ts";
// What it tells.
export { type DebugReport, failureText, placeText, type ShaderFailure } from "./debug_report.ts";
export type { CallFrame } from "./rewrite/call_graph.ts";
