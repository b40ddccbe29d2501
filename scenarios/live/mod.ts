/**
 * Live kernels as the lab uses them: with a translator of WGSL.
 *
 * @module
 */
export * from "../../core/gpu/live/mod.ts";
export { loadTranslator } from "./live_lab.ts";
