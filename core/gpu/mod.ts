/**
 * Calls between a GPU and the host, and between two halves of a GPU, on WebGPU.
 *
 * @module
 */
export { type GpuDevice, requestGpuDevice } from "./device/device.ts";
export { type MailboxFault } from "./epochs/device_channel.ts";
export { type EpochOptions, Epochs, type EpochServer, type RunOptions } from "./epochs/epochs.ts";
export { type EpochReport } from "./epochs/epoch_cycle.ts";
export { GpuServer, type GpuServerOptions } from "./server/gpu_server.ts";
export { Kernel, type KernelBuffer, type KernelOptions } from "./epochs/kernel.ts";
export { KernelCompileError } from "./wgsl/kernel_compile.ts";
export { KernelFault } from "./wgsl/kernel_error.ts";
export { type KernelShape } from "./wgsl/kernel_source.ts";
export { layoutConstants, WaveFault } from "./wgsl/layout_constants.ts";
export { Live, type LiveOptions } from "./live/live.ts";
export { type LiveReport } from "./live/live_report.ts";
export { LOCK_NAMES, type LockName } from "./wgsl/lock_name.ts";
export {
  type DeviceRead,
  type DeviceTask,
  type Readback,
  READBACK_NAMES,
  type ReadbackName,
} from "./device/readback.ts";
export {
  createReadback,
  probeEagerReadback,
  type ReadbackOptions,
  type ReadbackProbe,
} from "./device/readback_probe.ts";
