/**
 * Functions of the host for WGSL kernels. An entry of its own, as some runtimes cannot import WGSL.
 *
 * @module
 */
export { wgslStubs } from "./wgsl_stubs.ts";
