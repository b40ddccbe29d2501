/**
 * Calls between a GPU and the host, and between two halves of a GPU, on WebGPU.
 *
 * @module
 */
export { type GpuDevice, requestGpuDevice } from "./device.ts";
export { type MailboxFault } from "./device_channel.ts";
export { type EpochOptions, Epochs, type EpochServer, type RunOptions } from "./epoch.ts";
export { type EpochReport } from "./epoch_cycle.ts";
export { GpuServer, type GpuServerOptions } from "./gpu_server.ts";
export { Kernel, type KernelBuffer, type KernelOptions } from "./kernel.ts";
export { KernelCompileError } from "./kernel_compile.ts";
export { KernelFault } from "./kernel_fault.ts";
export { type KernelShape } from "./kernel_source.ts";
export { layoutConstants, WaveFault } from "./layout_constants.ts";
export { Live, type LiveOptions } from "./live.ts";
export { type LiveReport } from "./live_report.ts";
export { LOCK_NAMES, type LockName } from "./lock_name.ts";
export { READBACK_NAMES, ReadbackBuffer, type ReadbackName } from "./readback.ts";
export { chooseReadback, probeEagerReadback, type ReadbackProbe } from "./readback_probe.ts";
