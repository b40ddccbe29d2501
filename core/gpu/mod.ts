/**
 * Calls between a GPU and the host, and between two halves of a GPU, on WebGPU. `core/gpu/README.md` is
 * the guide; channels and servers are in `core/mod.ts`.
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
export { KernelTimeline } from "./epochs/kernel_timeline.ts";
export type { EpochReport } from "./epochs/epoch_report.ts";
export type { KernelBuffer } from "./device/bound_pipeline.ts";
export type { KernelHeap } from "./heap/device_heap.ts";
export type { KernelShape } from "./wgsl/kernel_shape.ts";
// What goes wrong in kernels.
export { KernelCompileError } from "./wgsl/kernel_compile.ts";
export { KernelError, KernelErrorCode, type KernelErrorReport } from "./wgsl/kernel_error.ts";
// printf in ordinary shaders; `core/gpu/printf/mod.ts` has all of it.
export { instrument, type Instrumented } from "./printf/instrument/instrument.ts";
export type { InstrumentOptions } from "./printf/instrument/instrument_options.ts";
export type { PrintedLine } from "./printf/instrument/printed_lines.ts";
export type { PrintfFilter } from "./printf/ring/printf_filter.ts";
export { PrintfError } from "./printf/printf_calls.ts";
export { type PrintfModule, withPrintf } from "./printf/with_printf.ts";
export type {
  PrintedOptions,
  PrintedTextOptions,
  PrintfCounts,
  PrintfOrder,
  PrintfReport,
} from "./printf/ring/ring_records.ts";
export type { PrintfRing, RingOptions } from "./printf/ring/printf_ring.ts";
// Servers on a GPU, for kernels there and for workers.
export { OneDispatch, type OneDispatchOptions } from "./one_dispatch/one_dispatch.ts";
export type { OneDispatchReport } from "./one_dispatch/one_dispatch_parts.ts";
export { GpuServer, type GpuServerOptions } from "./server/gpu_server.ts";
