/** A device that can be lost, and says so. */
export interface GpuDevice {
  /** What WebGPU gave. */
  readonly device: GPUDevice;
  /** As the adapter calls itself. */
  readonly adapterName: string;
  /** Whether a processor does the work. */
  readonly isSoftware: boolean;
  /** Why the device was lost, or `undefined` while it works. */
  readonly lostReason: string | undefined;
}

/**
 * Asks for a device with all that its adapter can do: the largest buffers, and timestamps where
 * they are offered.
 *
 * @throws {DOMException} `NotSupportedError` when there is no WebGPU or no adapter
 *
 * @example
 * ```ts
 * import { requestGpuDevice } from "./device.ts";
 * const gpu = await requestGpuDevice().catch(() => undefined); // a machine without an adapter
 * if (gpu && gpu.lostReason !== undefined) throw new Error("a new device works");
 * ```
 */
export async function requestGpuDevice(): Promise<GpuDevice> {
  const adapter = await requestAdapter();
  const device = await adapter.requestDevice({
    requiredFeatures: adapter.features.has("timestamp-query") ? ["timestamp-query"] : [],
    requiredLimits: limitsWanted(adapter.limits),
  });
  return watch(device, adapter.info);
}

async function requestAdapter(): Promise<GPUAdapter> {
  if (globalThis.navigator?.gpu === undefined) throw unsupported("this runtime has no WebGPU");
  const adapter = await navigator.gpu.requestAdapter({ powerPreference: "high-performance" });
  if (!adapter) throw unsupported("no adapter was found; see the task doctor for the ways out");
  return adapter;
}

function unsupported(reason: string): DOMException {
  return new DOMException(`Cannot use a GPU as ${reason}`, "NotSupportedError");
}

function limitsWanted(limits: GPUSupportedLimits): Record<string, number> {
  const {
    maxBufferSize,
    maxStorageBufferBindingSize,
    maxStorageBuffersPerShaderStage,
    maxComputeInvocationsPerWorkgroup,
    maxComputeWorkgroupSizeX,
  } = limits;
  return {
    maxBufferSize,
    maxStorageBufferBindingSize,
    maxStorageBuffersPerShaderStage,
    maxComputeInvocationsPerWorkgroup,
    maxComputeWorkgroupSizeX,
  };
}

function watch(device: GPUDevice, info: GPUAdapterInfo): GpuDevice {
  const watched = {
    device,
    adapterName: info.description || `${info.vendor} ${info.device}`.trim(),
    isSoftware: info.isFallbackAdapter,
    lostReason: undefined as string | undefined,
  };
  device.lost.then(({ reason, message }) => {
    watched.lostReason = [reason, message].filter((part) => part).join(": ");
  });
  return watched;
}

/** @throws {DOMException} `OperationError` when the device was lost */
export function checkAlive(gpu: GpuDevice, what: string): void {
  if (gpu.lostReason === undefined) return;
  throw new DOMException(
    `Cannot ${what} as the device was lost: ${gpu.lostReason}; ask for a new one and start again`,
    "OperationError",
  );
}
