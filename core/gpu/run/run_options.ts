import { checkService } from "../../memory/sync_result.ts";
import { functionsOf } from "../../signature/declare/signature.ts";
import { checkOptionNames } from "../../text/nearest.ts";
import type { EpochReport } from "../epochs/epoch_report.ts";
import type { RunOptions } from "../epochs/kernel.ts";
import type { KernelShape } from "../wgsl/kernel_shape.ts";
import type { HostLibrary, KernelFunction } from "./host_functions.ts";
import type { KernelRuntime } from "./kernel_runtime.ts";

/** Names the action in error messages. */
export const RUN = "run the kernel";

/**
 * The buffers of a kernel by the names of its variables. An array is copied to the device and, if the
 * kernel may write it, copied back into the report. A `GPUBuffer` stays on the device.
 */
export type RunBuffers = Readonly<Record<string, RunBuffer>>;

/** A {@linkcode RunArray}, or a `GPUBuffer`. */
export type RunBuffer = RunArray | GPUBuffer;

/** Buffers that every way of running a kernel takes, by the names of its variables. */
export type RunArrays = Readonly<Record<string, RunArray>>;

/**
 * A typed array of the numbers that the variable holds, or bytes as they lie on the device in an
 * `ArrayBuffer` or a `DataView` (of a struct in any array).
 */
export type RunArray = ArrayBufferView<ArrayBuffer> | ArrayBuffer;

/** Options of {@linkcode KernelGpu.run}: those that mean the same in every way of running a kernel. */
export interface KernelRunOptions<B = RunArrays>
  extends
    Pick<KernelShape, "streamBytes" | "wavesAcross">,
    Pick<RunOptions, "signal" | "refusals"> {
  /** How many waves run, 1 to 65535; 1 when absent. The lanes of a wave call the host together. */
  readonly waveCount?: number;
  /** Lanes of a wave, 1 to 64; 32 when absent. */
  readonly laneCount?: number;
  /** How many waves can be served at a time; all, up to 1024, when absent. */
  readonly portCount?: number;
  /** Bytes of a lane in a packet, which bound a call's arguments and result; 256 when absent. */
  readonly laneBytes?: number;
  /** Bytes of heap, which functions of the host read and write as well; no heap when absent. */
  readonly heapBytes?: number;
  /** Implements the functions that the text declares, as `@service fn square(x: u32) -> u32;`. */
  readonly functions?: Readonly<Record<string, KernelFunction>>;
  /** APIs whose functions the text may call without a declaration, as `math_hypot(3.0, 4.0)`. */
  readonly libraries?: readonly HostLibrary[];
  /** The kernel's buffers, by the names of its variables. */
  readonly buffers?: B;
  /** Values of the text's `override` constants, by name; those that the text has when absent. */
  readonly constants?: Readonly<Record<string, number | boolean>>;
  /** Receives what the kernel prints; the standard output of the process when absent. */
  readonly print?: (text: string) => void;
}

/** Options of {@linkcode Gpu.run}. */
export interface GpuRunOptions<B extends RunBuffers = RunBuffers>
  extends KernelRunOptions<B>, KernelShape, RunOptions {
  /**
   * Whether to time the kernel by the device's clock, if it has one: see `kernelSeconds`. Live kernels
   * wait for the host in the middle of their one dispatch, so that this clock would time both: they
   * reject it.
   */
  readonly timed?: boolean;
  /**
   * WGSL of functions that serve the kernel in the same dispatch, in place of the host's: each by the number of its
   * declaration, as `@service(40000) fn square(x: u32) -> u32 { return x * x; }`; or `fn serve(opcode: u32)`, as
   * of `OneDispatch`. It takes an adapter that runs workgroups side by side.
   */
  readonly server?: string;
}

/** Options of all ways. */
export interface AnyRunOptions
  extends
    Omit<GpuRunOptions, "buffers">,
    KernelRunOptions<Readonly<Record<string, RunArray | object>>> {
  readonly roundsMax?: number;
}

/** What every way of running a kernel counts. */
export interface KernelReport {
  /** Packets that the device has sent to the host. */
  readonly packetCount: number;
  /** Calls that the server rejected, or whose handler failed. */
  readonly refusedCallCount: number;
  /** The number of epochs; absent of a kernel that ran live. */
  readonly epochCount?: number;
  /** Seconds of work by the device's clock; absent unless the kernel is `timed`. */
  readonly kernelSeconds?: number;
}

/** The outcome of a run, in whichever way. */
export interface KernelRunReport<B = Readonly<Record<string, unknown>>> extends KernelReport {
  /** The contents of the buffers after the run, in new arrays. */
  readonly buffers: B;
}

/** The outcome of a run by epochs. */
export interface GpuRunReport<B extends RunBuffers = RunBuffers> extends EpochReport {
  /** The contents of the buffers after the run, in new arrays. */
  readonly buffers: B;
}

/**
 * A GPU that runs kernels which call the host, in one of the ways to do so: by epochs (`openGpu`), or
 * live, served while they run (`openLiveGpu` of `./gpu/live`). A program that takes one runs in either
 * way.
 */
export interface KernelGpu extends Disposable {
  /** The adapter's own name. */
  readonly adapterName: string;
  /** Whether the adapter is a software one. */
  readonly isSoftware: boolean;
  /** @internal How it runs kernels. */
  readonly runtime: KernelRuntime;
  /** Compiles a kernel and runs it until all its waves have finished: as {@linkcode Gpu.run}. */
  run<const B extends RunArrays = Record<never, never>>(
    source: string,
    options?: KernelRunOptions<B>,
  ): Promise<KernelRunReport<B>>;
}

const OPTIONS: Readonly<Record<keyof AnyRunOptions, string>> = {
  waveCount: "number",
  laneCount: "number",
  portCount: "number",
  laneBytes: "number",
  heapBytes: "number",
  timed: "boolean",
  functions: "object",
  libraries: "array",
  buffers: "object",
  print: "function",
  signal: "object",
  epochsMax: "number",
  roundsMax: "number",
  refusals: "string",
  lock: "string",
  wavesPerGroup: "number",
  streamBytes: "number",
  searchAttempts: "number",
  wavesAcross: "number",
  turnsMax: "number",
  constants: "object",
  server: "string",
};

/**
 * Checks what does not depend on the text.
 *
 * @throws {TypeError} when there is no such option, it means nothing in this way, or its value has the
 * wrong type
 * @throws {RangeError} when the number of waves is not a positive integer
 */
export function checkOptions(
  source: string,
  options: AnyRunOptions,
  runtime: Pick<KernelRuntime, "refused" | "isBuffer">,
): void {
  if (typeof source !== "string" || source.trim() === "") {
    throw new TypeError(`Cannot ${RUN} as its text must be WGSL: current value is ${source}`);
  }
  checkOptionNames(RUN, options, Object.keys(OPTIONS));
  for (const [name, value] of Object.entries(options)) {
    if (value !== undefined && Object.hasOwn(runtime.refused, name)) {
      throw new TypeError(
        `Cannot ${RUN} as there is no option ${name} here: ${runtime.refused[name]}`,
      );
    }
    const wanted = OPTIONS[name as keyof AnyRunOptions];
    const type = Array.isArray(value) ? "array" : value === null ? "null" : typeof value;
    if (value === undefined || type === wanted) continue;
    throw new TypeError(
      `Cannot ${RUN} as ${name} must be of type ${wanted}: current value is ${String(value)}`,
    );
  }
  const { waveCount = 1, signal, libraries = [], buffers = {}, functions = {} } = options;
  if (!Number.isInteger(waveCount) || waveCount < 1) {
    throw new RangeError(
      `Cannot ${RUN} as waveCount must be an integer of at least 1: current value is ${waveCount}`,
    );
  }
  if (signal && !(signal instanceof AbortSignal)) {
    throw new TypeError(
      `Cannot ${RUN} as signal must be an AbortSignal: use signal of its controller`,
    );
  }
  for (const [name, work] of Object.entries(functions)) checkService(name, work);
  for (const library of libraries) {
    checkService(`the library ${functionsOf(library?.api) && library.api.name}`, library.serve);
  }
  for (const [name, value] of Object.entries(buffers)) {
    if (runtime.isBuffer(value)) continue;
    const hasBytes = ArrayBuffer.isView(value) || value instanceof ArrayBuffer;
    if (hasBytes && value.byteLength > 0 && value.byteLength % 4 === 0) continue;
    throw new TypeError(
      `Cannot ${RUN} as the buffer ${name} must be an array such as a Float32Array, of whole words, or a buffer of the device's: current value is ${
        hasBytes ? `${value.byteLength} bytes` : value
      }`,
    );
  }
}
