/**
 * Calls between a GPU and the host, and between two halves of a GPU, on WebGPU; and all of the core,
 * so that one import is enough. `core/gpu/README.md` is the guide.
 *
 * @module
 */
export * from "../mod.ts";
// The types that stand in the signatures below.
export type * from "../signature/mod.ts";
export { denoHost, type Host } from "../services/host.ts";
export { HeapAllocator, type HeapOptions } from "../services/memory/heap_allocator.ts";
export { type FileHost, type HostFile, type OpenMode } from "../services/files/file_host.ts";
export { register } from "../services/register.ts";
export { type CallerHeap } from "../signature/server/caller_heap.ts";
export { type BufferPart, createOwnBuffer, readOwnBuffer } from "./device/own_buffer.ts";
export { createReadback, type ReadbackOptions } from "./device/create_readback.ts";
export { type KernelBuffer } from "./device/bound_pipeline.ts";
export { type GpuDevice, type GpuDeviceOptions, requestGpuDevice } from "./device/device.ts";
export { DeviceWatch, type DeviceWatchLimit } from "./device/device_watch.ts";
export {
  type CopyOut,
  type DeviceRead,
  type DeviceTask,
  type Readback,
  READBACK_NAMES,
  type ReadbackName,
} from "./device/readback.ts";
export { probeEagerReadback, type ReadbackProbe } from "./device/readback_probe.ts";
export { type MailboxReport } from "./epochs/channel/channel_download.ts";
export { type EpochReport } from "./epochs/epoch_report.ts";
export { type EpochServer } from "./epochs/epoch_server.ts";
export { type EpochOptions, Epochs, type RunOptions } from "./epochs/epochs.ts";
export { Kernel, type KernelOptions } from "./epochs/kernel.ts";
export { type KernelHeap } from "./heap/device_heap.ts";
export { Live, type LiveOptions } from "./live/live.ts";
export { type LiveReport } from "./live/live_report.ts";
export { PrintfError } from "./printf/printf_error.ts";
export { type PrintedTextOptions, type PrintfOrder } from "./printf/ring/printed_text.ts";
export {
  type PrintedOptions,
  type PrintfBytes,
  type PrintfCounts,
  type PrintfReport,
} from "./printf/ring/printf_report.ts";
export {
  type PrintfRing,
  type RingOptions,
  type RingPass,
  type RingPipeline,
} from "./printf/ring/printf_ring.ts";
export { type PrintedCall, type PrintfPlace } from "./printf/ring/read_ring.ts";
export { type BindingPlace } from "./printf/ring/ring_binding.ts";
export { type PrintfModule, withPrintf } from "./printf/with_printf.ts";
export { GpuServer, type GpuServerOptions } from "./server/gpu_server.ts";
export { type TextPosition } from "./syntax/text_position.ts";
export { KernelCompileError } from "./wgsl/kernel_compile.ts";
export { KernelError, KernelErrorCode, type KernelErrorReport } from "./wgsl/kernel_error.ts";
export { type KernelShape, LOCK_NAMES, type LockName } from "./wgsl/kernel_shape.ts";
// The types of signatures that stand in those above.
export type * from "../signature/mod.ts";
