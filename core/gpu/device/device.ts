import { type DeviceWatch, watchDevice } from "./device_watch.ts";

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

/** What a device has to have. */
export interface GpuDeviceOptions {
  /**
   * What the kernels cannot do without, such as `shader-f16` or `subgroups`. A kernel says `enable f16;`
   * in its first line.
   */
  readonly features?: readonly GPUFeatureName[];
  /**
   * Limits by WebGPU's names, where the usual ones are too low. The sizes of buffers and workgroups
   * and the number of storage buffers are the adapter's largest without being asked for.
   */
  readonly limits?: Readonly<Record<string, number>>;
  /** Notices from another thread when the device does not come to an end. */
  readonly watch?: DeviceWatch;
}

/**
 * Asks for a device with all that its adapter can do: the largest buffers, and timestamps where
 * they are offered; and with what the kernels need beyond that.
 *
 * @throws {DOMException} `NotSupportedError` when there is no WebGPU or no adapter, or the adapter has
 * not what was asked for
 *
 * @example
 * ```ts
 * import { requestGpuDevice } from "./device.ts";
 * const gpu = await requestGpuDevice().catch(() => undefined); // a machine without an adapter
 * if (gpu && gpu.lostReason !== undefined) throw new Error("a new device works");
 * ```
 */
export async function requestGpuDevice(options: GpuDeviceOptions = {}): Promise<GpuDevice> {
  const { features = [], limits = {}, watch } = options;
  const adapter = await requestAdapter();
  checkOffered(adapter, { features, limits });
  const timestamps: GPUFeatureName[] = adapter.features.has("timestamp-query")
    ? ["timestamp-query"]
    : [];
  const device = await adapter.requestDevice({
    requiredFeatures: [...new Set([...timestamps, ...features])],
    requiredLimits: { ...limitsWanted(adapter.limits), ...limits },
  });
  if (watch) watchDevice(device, watch);
  return whileAlive(device, adapter.info);
}

function checkOffered(
  adapter: GPUAdapter,
  { features, limits }: Required<Omit<GpuDeviceOptions, "watch">>,
): void {
  const offered = adapter.limits as unknown as Readonly<Record<string, number>>;
  const missing = [
    ...features.filter((name) => !adapter.features.has(name)),
    ...Object.entries(limits).filter(([name, value]) => !isWithin(name, value, offered[name]))
      .map(([name, value]) => `${name} ${value} (it has ${offered[name]})`),
  ];
  if (missing.length === 0) return;
  throw unsupported(`the adapter does not offer ${missing.join(", ")}`);
}

/** The limits that begin with `min` are alignments: smaller ones are harder to meet. */
function isWithin(name: string, wanted: number, offered: number | undefined): boolean {
  if (offered === undefined) return false;
  return name.startsWith("min") ? wanted >= offered : wanted <= offered;
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

function whileAlive(device: GPUDevice, info: GPUAdapterInfo): GpuDevice {
  const watched = {
    device,
    adapterName: info.description || `${info.vendor} ${info.device}`.trim(),
    isSoftware: info.isFallbackAdapter,
    lostReason: undefined as string | undefined,
  };
  device.lost.then((info) => watched.lostReason = lostReasonOf(info));
  return watched;
}

function lostReasonOf({ reason, message }: GPUDeviceLostInfo): string {
  return [reason, message].filter((part) => part).join(": ");
}

/** The error of what a device that was lost cannot do. */
export function lostError(what: string, info: GPUDeviceLostInfo): DOMException {
  return lostBecause(what, lostReasonOf(info));
}

function lostBecause(what: string, reason: string): DOMException {
  return new DOMException(
    `Cannot ${what} as the device was lost: ${reason}; ask for a new one and start again`,
    "OperationError",
  );
}

/** Why a device was lost, if it was: also where nobody has been told of that yet. */
export async function lostInfo(device: GPUDevice): Promise<GPUDeviceLostInfo | undefined> {
  const turn = new Promise<undefined>((resolve) => setTimeout(resolve, 0));
  return await Promise.race([device.lost, turn]);
}

/** @throws {DOMException} `OperationError` when the device was lost, be it a moment ago */
export async function awaitAlive({ device }: GpuDevice, what: string): Promise<void> {
  const info = await lostInfo(device);
  if (info) throw lostError(what, info);
}

/** @throws {DOMException} `OperationError` when the device was lost */
export function checkAlive(gpu: GpuDevice, what: string): void {
  if (gpu.lostReason !== undefined) throw lostBecause(what, gpu.lostReason);
}
