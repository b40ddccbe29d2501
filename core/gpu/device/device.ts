import { type DeviceWatch, watchDevice } from "./device_watch.ts";

/** A device, and whether it was lost. */
export interface GpuDevice {
  /** The device of WebGPU. */
  readonly device: GPUDevice;
  /** The adapter's own name. */
  readonly adapterName: string;
  /** Whether the adapter is a software one. */
  readonly isSoftware: boolean;
  /** Why the device was lost; `undefined` while it works. */
  readonly lostReason: string | undefined;
}

/** Requirements for a device. */
export interface GpuDeviceOptions {
  /**
   * Features that the kernels require, such as `shader-f16` or `subgroups`. The kernel still needs
   * `enable f16;` in its first line.
   */
  readonly features?: readonly GPUFeatureName[];
  /**
   * Required limits by their WebGPU names. The sizes of buffers and workgroups and the number of
   * storage buffers are always the adapter's maximum.
   */
  readonly limits?: Readonly<Record<string, number>>;
  /** Detects from another thread that the device does not finish. */
  readonly watch?: DeviceWatch;
}

/** Limits that are always requested at the adapter's maximum. */
const LARGEST = [
  "maxBufferSize",
  "maxStorageBufferBindingSize",
  "maxStorageBuffersPerShaderStage",
  "maxComputeInvocationsPerWorkgroup",
  "maxComputeWorkgroupSizeX",
] as const;

/**
 * Requests a device with the adapter's largest buffers, timestamps if available, and whatever else the
 * options require.
 *
 * @throws {DOMException} `NotSupportedError` when there is no WebGPU or no adapter, or the adapter
 * lacks what was asked for
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
    requiredLimits: {
      ...Object.fromEntries(LARGEST.map((name) => [name, adapter.limits[name]])),
      ...limits,
    },
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

/** Limits that begin with `min` are alignments, of which smaller ones are harder to meet. */
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

/** Creates the error for an action that a lost device cannot perform. */
export function lostError(what: string, info: GPUDeviceLostInfo): DOMException {
  return lostBecause(what, lostReasonOf(info));
}

function lostBecause(what: string, reason: string): DOMException {
  return new DOMException(
    `Cannot ${what} as the device was lost: ${reason}; ask for a new one and start again`,
    "OperationError",
  );
}

/** Finds out whether a device was lost, even if `lostReason` is not set yet. */
export async function lostInfo(device: GPUDevice): Promise<GPUDeviceLostInfo | undefined> {
  const turn = new Promise<undefined>((resolve) => setTimeout(resolve, 0));
  return await Promise.race([device.lost, turn]);
}

/** @throws {DOMException} `OperationError` when the device was lost, even a moment ago */
export async function awaitAlive({ device }: GpuDevice, what: string): Promise<void> {
  const info = await lostInfo(device);
  if (info) throw lostError(what, info);
}

/** @throws {DOMException} `OperationError` when the device was lost */
export function checkAlive(gpu: GpuDevice, what: string): void {
  if (gpu.lostReason !== undefined) throw lostBecause(what, gpu.lostReason);
}
