import { type DeviceHeap, GRAIN_BYTES } from "../heap/device_heap.ts";
import { Channel } from "../../toggle/channel.ts";
import type { GpuDevice } from "../device/device.ts";
import { EpochRuntime } from "../run/epoch_runtime.ts";
import type { CompiledKernel } from "../run/kernel_runtime.ts";
import { kernelChannelShape } from "../run/ready_kernel.ts";
import type { KernelGpu, KernelReport } from "../run/run_options.ts";
import { type ProgramHost, ProgramServer } from "./program_server.ts";
import { type ProgramText, programText, ProgramWord } from "./program_text.ts";

export interface ProgramTexts {
  /** The first is the program's name. */
  readonly args: readonly string[];
  /** Its environment. */
  readonly env: Readonly<Record<string, string>>;
}

/** The arguments of `main`, as addresses in the heap. */
export interface ProgramArguments {
  readonly argc: number;
  /** The address of `argc` addresses, followed by a 0. */
  readonly argv: number;
  /** The address of the addresses of `NAME=value` texts, followed by a 0. */
  readonly envp: number;
}

/**
 * Writes the arguments of a program to its heap, laid out as in C.
 *
 * @throws {RangeError} when they do not fit
 * @throws {TypeError} when one of them contains a NUL
 */
export function putArguments(
  heap: Pick<DeviceHeap, "malloc" | "write" | "sizeBytes">,
  { args, env }: ProgramTexts,
): ProgramArguments {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const [argv, envp] = [args, variables].map((texts) => {
    const addresses = texts.map((text) => put(heap, textBytes(text)));
    return put(heap, new Uint8Array(Uint32Array.of(...addresses, 0).buffer));
  });
  return { argc: args.length, argv: argv!, envp: envp! };
}

function textBytes(text: string): Uint8Array {
  if (!text.includes("\0")) return new TextEncoder().encode(`${text}\0`);
  throw new TypeError(
    `Cannot give a program a text with a NUL in it: current value is ${JSON.stringify(text)}`,
  );
}

function put(heap: Pick<DeviceHeap, "malloc" | "write" | "sizeBytes">, bytes: Uint8Array): number {
  const address = heap.malloc(bytes.length);
  if (address === 0) {
    throw new RangeError(
      `Cannot run the program as its arguments and environment do not fit its heap of ${heap.sizeBytes} bytes: give it more`,
    );
  }
  heap.write(address, bytes);
  return address;
}

/** The grid of a program. All of its threads, at most 2 097 120, run `main`. */
export interface ProgramGrid {
  /** Threads per block. */
  readonly threadCount: number;
  /** The number of blocks. */
  readonly blockCount: number;
}

export interface ProgramWaves {
  readonly total: number;
  readonly laneCount: number;
  /** The last wave may have lanes without a thread. */
  readonly waveCount: number;
}

/** The most lanes of a wave, as on most devices. */
const LANE_COUNT_MAX = 32;
const WAVE_COUNT_MAX = 65535;

/**
 * Divides a grid into waves, of 32 lanes if there are as many threads. Blocks do not matter, as threads
 * of a program do not share memory with their block.
 *
 * @throws {RangeError} when a count is not a positive integer, or there are more threads than 65535
 * waves have
 */
export function wavesOf({ threadCount, blockCount }: ProgramGrid): ProgramWaves {
  const isCount = (count: number) => Number.isSafeInteger(count) && count >= 1;
  const total = threadCount * blockCount;
  const totalMax = LANE_COUNT_MAX * WAVE_COUNT_MAX;
  if (isCount(threadCount) && isCount(blockCount) && total <= totalMax) {
    const laneCount = Math.min(LANE_COUNT_MAX, total);
    return { total, laneCount, waveCount: Math.ceil(total / laneCount) };
  }
  throw new RangeError(
    `Cannot run the program as its blocks and their threads must be integers of at least 1, and at most ${totalMax} threads in all: current value is ${blockCount} blocks of ${threadCount}`,
  );
}

/** Options of {@linkcode runProgram}. */
export interface ProgramOptions extends Partial<ProgramGrid>, ProgramHost {
  /** WGSL with `fn main(argc: u32, argv: u32) -> i32`. */
  readonly source: string;
  /** The program's `argv`, its name first; empty when absent. */
  readonly args?: readonly string[];
  /** Bytes of heap for `malloc`, texts, arguments and environment; 1 MiB when absent. */
  readonly heapBytes?: number;
  /** Whether to time the kernel by the device's clock. */
  readonly timed?: boolean;
}

/** The outcome of a program. */
export interface ProgramReport {
  /** What `main` returned in each thread; 0 if it did not return. */
  readonly results: Int32Array;
  /** The status passed to `exit`, if it was called. */
  readonly exitStatus: number | undefined;
  /** How many epochs it took; `undefined` where it ran live. */
  readonly epochCount: number | undefined;
  /** How many packets it sent to the host. */
  readonly packetCount: number;
  /** Seconds of work on the device; `undefined` unless timed and the device has a clock. */
  readonly kernelSeconds: number | undefined;
  /** Bytes that each thread keeps while it waits for the host. */
  readonly frameBytes: number;
  /** Bytes of the channel. */
  readonly channelBytes: number;
  /** Bytes of the heap. */
  readonly heapBytes: number;
  /** Bytes of the heap in use at the end, including arguments and environment. */
  readonly heapUsedBytes: number;
}

const HEAP_BYTES = 1 << 20;
/** Programs may run for any number of epochs; of those that run live nobody reads it. */
const LIMITS = { epochsMax: Number.MAX_SAFE_INTEGER };

/**
 * Runs a program: `begin` in one thread, `main` in all of them, then `end` in one. Nothing more runs
 * after `exit`.
 *
 * @param gpu a device of WebGPU, or a GPU of either way to run kernels
 * @throws {KernelCompileError} when it does not compile, with the author's line and column
 * @throws {PrintfError} at an invalid `printf`
 * @throws {TypeError} when there is no `main`
 * @throws {RangeError} when a count is out of bounds, or beyond what the device can hold
 * @throws {KernelError} when a wave broke a rule
 * @throws {CallError} when the host rejected a call, or could not carry it out
 *
 * @example
 * ```ts
 * import { requestGpuDevice } from "../device/device.ts";
 * import { exitCode, runProgram } from "./run_program.ts";
 * const gpu = await requestGpuDevice().catch(() => undefined); // a machine without an adapter
 * if (gpu) {
 *   const source = "fn main() -> i32 { return i32(thread_index()); }";
 *   const { results } = await runProgram(gpu, { source, threadCount: 4 });
 *   if (exitCode(results) !== 3) throw new Error("0, 1, 2 and 3");
 * }
 * ```
 */
export async function runProgram(
  gpu: GpuDevice | KernelGpu,
  options: ProgramOptions,
): Promise<ProgramReport> {
  const { threadCount = 1, blockCount = 1 } = options;
  const { total, laneCount, waveCount } = wavesOf({ threadCount, blockCount });
  const apis = (options.libraries ?? []).map(({ api }) => api);
  const runtime = "runtime" in gpu ? gpu.runtime : new EpochRuntime(gpu);
  const { storageBuffersMax } = runtime;
  const text = programText(options.source, { threadCount, blockCount, storageBuffersMax }, apis);
  const channel = Channel.create(kernelChannelShape({ waveCount, laneCount }));
  const wordsBytes = 4 * (ProgramWord.results + total);
  const sizes = [wordsBytes, ...text.globalsBytes];
  const kernel = await runtime.compile({
    channel,
    waveCount,
    source: text.text,
    buffers: sizes.map((given) => ({ type: "storage", given })),
    heapBytes: GRAIN_BYTES * Math.ceil((options.heapBytes ?? HEAP_BYTES) / GRAIN_BYTES),
    timed: options.timed ?? false,
  });
  try {
    return await runKernel({ channel, kernel, text }, options);
  } finally {
    kernel.destroy();
  }
}

interface CompiledProgram {
  readonly channel: Channel;
  readonly kernel: CompiledKernel;
  readonly text: ProgramText;
}

/** The buffer of words: see `ProgramWord`. */
const WORDS_BINDING = 0;

async function runKernel(
  program: CompiledProgram,
  options: ProgramOptions,
): Promise<ProgramReport> {
  const { channel, kernel } = program;
  const { heap } = kernel;
  const { args = [], env = {}, libraries = [] } = options;
  const { argc, argv, envp } = putArguments(heap, { args, env });
  using server = new ProgramServer(channel, heap, {
    ...options,
    libraries: libraries.filter(({ api }) => program.text.apis.includes(api)),
  });
  const reports = await runPhases(program, server, { argc, argv, envp });
  const words = new Int32Array(await kernel.read(WORDS_BINDING));
  return {
    ...sumOf(reports),
    results: words.slice(ProgramWord.results),
    exitStatus: server.exitStatus,
    frameBytes: kernel.frameBytes,
    channelBytes: channel.layout.totalBytes,
    heapBytes: heap.sizeBytes,
    heapUsedBytes: heap.allocator.usedBytes,
  };
}

/** Runs the phases in order until one ends the program. */
async function runPhases(
  { kernel, text }: CompiledProgram,
  server: ProgramServer,
  { argc, argv, envp }: ProgramArguments,
): Promise<KernelReport[]> {
  const reports: KernelReport[] = [];
  for (const phase of text.phases) {
    if (server.hasEnded) break;
    const words = new Uint32Array(ProgramWord.results);
    words[ProgramWord.phase] = phase;
    words.set([argc, argv, envp], ProgramWord.argc);
    kernel.write(WORDS_BINDING, words);
    reports.push(await kernel.runAsync(server, LIMITS));
  }
  return reports;
}

/** Adds up the reports of all phases. */
function sumOf(reports: readonly KernelReport[]) {
  const sum = (name: "epochCount" | "packetCount" | "kernelSeconds") => {
    const counts = reports.map((report) => report[name]).filter((one) => one !== undefined);
    return counts.length > 0 ? counts.reduce((total, one) => total + one) : undefined;
  };
  return {
    epochCount: sum("epochCount"),
    packetCount: sum("packetCount") ?? 0,
    kernelSeconds: sum("kernelSeconds"),
  };
}

/** Two threads with different results. */
export interface Disagreement {
  /** The first thread, counted from 0, whose result differs from that of thread 0. */
  readonly threadIndex: number;
  /** What that thread returned. */
  readonly result: number;
  /** What thread 0 returned. */
  readonly first: number;
}

/**
 * Computes the exit code of threads as LLVM's loader does: all results combined by OR, of which the
 * system keeps the lowest eight bits.
 *
 * @returns 0 to 255
 *
 * @example
 * ```ts
 * import { exitCode } from "./run_program.ts";
 * if (exitCode([0, 1, 4]) !== 5 || exitCode([-1]) !== 255 || exitCode([256]) !== 0) {
 *   throw new Error("the lowest eight bits");
 * }
 * ```
 */
export function exitCode(results: Iterable<number>): number {
  let combined = 0;
  for (const result of results) combined |= result;
  return combined & 0xff;
}

/** Finds the first thread whose result differs from that of thread 0; `undefined` if there is none. */
export function disagreement(results: ArrayLike<number>): Disagreement | undefined {
  const first = results[0]!;
  for (let threadIndex = 1; threadIndex < results.length; threadIndex++) {
    const result = results[threadIndex]!;
    if (result !== first) return { threadIndex, result, first };
  }
  return undefined;
}
