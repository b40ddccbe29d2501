/**
 * Internal: what runs of kernels are made of, for scenarios that measure it. It may change with any
 * version.
 *
 * @module
 */
// How results come back from a device.
export {
  createReadback,
  probeEagerReadback,
  type ReadbackOptions,
  type ReadbackProbe,
} from "./device/create_readback.ts";
export {
  type CopyOut,
  type DeviceRead,
  type DeviceTask,
  type Readback,
  READBACK_NAMES,
  type ReadbackName,
} from "./device/readback.ts";
// How a run goes on between its epochs.
export type { MailboxReport } from "./epochs/channel/channel_download.ts";
export type { EpochServer } from "./epochs/kernel.ts";
export { LOCK_NAMES, type LockName } from "./wgsl/kernel_shape.ts";
export type { Position } from "./text/lines.ts";
