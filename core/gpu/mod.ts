/**
 * Calls between a GPU and the host, and between two halves of a GPU, on WebGPU. `core/gpu/README.md` is
 * the guide; channels and servers are in `core/mod.ts`, `printf` in shaders in `core/gpu/print/mod.ts`.
 *
 * @module
 */
// A kernel that calls the host, in one call.
export { Gpu, openGpu } from "./run/gpu.ts";
export type {
  GpuRunOptions,
  GpuRunReport,
  KernelGpu,
  KernelReport,
  KernelRunOptions,
  KernelRunReport,
  RunArray,
  RunArrays,
  RunBuffer,
  RunBuffers,
} from "./run/run_options.ts";
export { type HostLibrary, hostLibrary, type KernelFunction } from "./run/host_functions.ts";
// The device, and buffers of your own.
export { type GpuDevice, type GpuDeviceOptions, requestGpuDevice } from "./device/device.ts";
export { DeviceWatch, type DeviceWatchLimit } from "./device/device_watch.ts";
export { type BufferPart, createOwnBuffer, readOwnBuffer } from "./device/own_buffer.ts";
// A kernel on a channel of your own.
export { Kernel, type KernelOptions, type RunOptions } from "./epochs/kernel.ts";
export type { EpochReport } from "./epochs/epoch_report.ts";
export type { KernelBuffer } from "./device/bound_pipeline.ts";
export type { KernelHeap } from "./heap/device_heap.ts";
export type { KernelShape } from "./wgsl/kernel_shape.ts";
// What goes wrong in kernels.
export { KernelCompileError } from "./wgsl/kernel_compile.ts";
export {
  KernelError,
  KernelErrorCode,
  type KernelErrorReport,
  type KernelFrame,
} from "./wgsl/kernel_error.ts";
// Servers on a GPU, for kernels there and for workers.
export { OneDispatch, type OneDispatchOptions } from "./one_dispatch/one_dispatch.ts";
export type { OneDispatchReport } from "./one_dispatch/one_dispatch_parts.ts";
export { GpuServer, type GpuServerOptions } from "./server/gpu_server.ts";
