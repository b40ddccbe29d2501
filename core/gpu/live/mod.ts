/**
 * Kernels that call the host while they run: Vulkan by Deno's FFI, on the memory of a channel.
 * `core/gpu/live/README.md` is the guide.
 *
 * @module
 */
export {
  listLiveDevices,
  LiveDevice,
  type LiveDeviceOptions,
  requestLiveDevice,
} from "./device/live_device.ts";
export type { DeviceChoice, LiveDeviceInfo, LiveMemoryType } from "./device/physical_device.ts";
export type { LiveBuffer } from "./device/live_buffer.ts";
export type {
  LiveDispatchOptions,
  LivePipeline,
  LivePipelineOptions,
} from "./device/live_pipeline.ts";
export type { LiveRun } from "./device/live_run.ts";
export { LiveKernel } from "./kernel/live_kernel.ts";
export type {
  LiveKernelOptions,
  LiveReport,
  LiveRunOptions,
  LiveWave,
} from "./kernel/live_options.ts";
export type { WgslToSpirv } from "./kernel/live_compile.ts";
export {
  type LiveBuffers,
  LiveGpu,
  type LiveGpuOptions,
  type LiveGpuRunOptions,
  openLiveGpu,
} from "./kernel/live_gpu.ts";
export { type OrderReport, probeOrder } from "./litmus/probe_order.ts";
export { liveDesignFault } from "./design/side_text.ts";
export type { HostAtomics } from "./device/host_atomics.ts";
export type { AtomicAccess } from "../../toggle/design/atomics_needed.ts";
export { VulkanError } from "./vulkan/vulkan.ts";
