import { Channel } from "../../toggle/channel.ts";
import { Server } from "../../toggle/server/server.ts";
import type { GpuDevice } from "../device/device.ts";
import { createOwnBuffer, readOwnBuffer } from "../device/own_buffer.ts";
import type { EpochReport } from "../epochs/epoch_report.ts";
import { Epochs } from "../epochs/epochs.ts";
import { Kernel } from "../epochs/kernel.ts";
import { GRAIN_BYTES } from "../heap/device_heap.ts";
import { withPlainLines } from "../wgsl/author_text.ts";
import { KernelCompileError } from "../wgsl/kernel_compile.ts";
import { putArguments } from "./program_arguments.ts";
import { type ProgramHost, ProgramServer } from "./program_server.ts";
import { ProgramWord } from "./program_functions.ts";
import { type ProgramGrid, wavesOf } from "./program_grid.ts";
import { type ProgramText, programText } from "./program_text.ts";

/** What is run, and with what. */
export interface ProgramOptions extends Partial<ProgramGrid>, ProgramHost {
  /** WGSL with `fn main(argc: u32, argv: u32) -> i32`. */
  readonly source: string;
  /** What it sees as `argv`, its name first; none when absent. */
  readonly args?: readonly string[];
  /** Bytes for `malloc`, for texts, arguments and environment; 1 MiB when absent. */
  readonly heapBytes?: number;
  /** Whether the device's clock times it. */
  readonly timed?: boolean;
}

/** What became of a program. */
export interface ProgramReport {
  /** What `main` returned in each thread; 0 in one that did not come so far. */
  readonly results: Int32Array;
  /** What it called `exit` with, if it did. */
  readonly exitStatus: number | undefined;
  /** Runs of its kernel on the device. */
  readonly epochCount: number;
  /** Packets that it gave to the host. */
  readonly packetCount: number;
  /** Seconds that the device was at work; `undefined` unless timed, or where it has no clock. */
  readonly kernelSeconds: number | undefined;
  /** What each thread keeps while it waits for the host. */
  readonly frameBytes: number;
  /** The memory of its calls. */
  readonly channelBytes: number;
  /** The heap. */
  readonly heapBytes: number;
  /** What of the heap was given out in the end, arguments and environment included. */
  readonly heapUsedBytes: number;
}

/** Ports at most: more waves than these take turns. */
const PORT_COUNT_MAX = 1024;
/**
 * Bytes of a lane in a packet. Against 64, 20 000 lines of each of 32 threads took a quarter of the time,
 * and 30 calls of each of 32 768 a tenth more (SwiftShader).
 */
const LANE_BYTES = 256;
const HEAP_BYTES = 1 << 20;
/** A program may take as long as it wants. */
const LIMITS = { epochsMax: Number.MAX_SAFE_INTEGER };

/**
 * Runs a program: `begin` in one thread, `main` in all of them, `end` in one. After `exit` nothing more
 * of it runs.
 *
 * @throws {KernelCompileError} when it does not compile, with the author's line and column
 * @throws {PrintfError} at a `printf` that cannot be
 * @throws {TypeError} when it has no `main`
 * @throws {RangeError} when a count is out of its bounds, or beyond what the device can hold
 * @throws {KernelError} when a wave broke a rule
 * @throws {CallError} when the host refused a call, or could not do it
 *
 * @example
 * ```ts
 * import { requestGpuDevice } from "../device/device.ts";
 * import { exitCode } from "./exit_code.ts";
 * import { runProgram } from "./run_program.ts";
 * const gpu = await requestGpuDevice().catch(() => undefined); // a machine without an adapter
 * if (gpu) {
 *   const source = "fn main() -> i32 { return i32(thread_index()); }";
 *   const { results } = await runProgram(gpu, { source, threadCount: 4 });
 *   if (exitCode(results) !== 3) throw new Error("0, 1, 2 and 3");
 * }
 * ```
 */
export async function runProgram(gpu: GpuDevice, options: ProgramOptions): Promise<ProgramReport> {
  const { threadCount = 1, blockCount = 1 } = options;
  const { total, laneCount, waveCount } = wavesOf({ threadCount, blockCount });
  const apis = (options.libraries ?? []).map(({ api }) => api);
  const storageBuffersMax = gpu.device.limits.maxStorageBuffersPerShaderStage;
  const text = programText(options.source, { threadCount, blockCount, storageBuffersMax }, apis);
  const portCount = Math.min(waveCount, PORT_COUNT_MAX);
  const channel = Channel.create({ portCount, laneCount, laneBytes: LANE_BYTES });
  const wordsBytes = 4 * (ProgramWord.results + total);
  const buffers = [wordsBytes, ...text.globalsBytes].map((bytes) => createOwnBuffer(gpu, bytes));
  try {
    const kernel = await Kernel.create(gpu, {
      channel,
      waveCount,
      source: text.kernel,
      buffers: buffers.map((buffer) => ({ buffer })),
      heapBytes: GRAIN_BYTES * Math.ceil((options.heapBytes ?? HEAP_BYTES) / GRAIN_BYTES),
      timed: options.timed ?? false,
    }).catch((error) => {
      throw inAuthorsText(error, options.source, text);
    });
    const epochs = await Epochs.create(kernel);
    try {
      return await runKernel({ gpu, channel, kernel, epochs, text, words: buffers[0]! }, options);
    } finally {
      epochs.destroy();
    }
  } finally {
    for (const buffer of buffers) buffer.destroy();
  }
}

/** The error of a line in which the program's globals have got bindings, where its author sees it. */
function inAuthorsText(error: unknown, source: string, { authorPosition }: ProgramText): unknown {
  if (!(error instanceof KernelCompileError)) return error;
  const position = authorPosition(error);
  if (position.column === error.column) return error;
  return KernelCompileError.at(withPlainLines(source), position, error.reason);
}

/** A program, compiled. */
interface CompiledProgram {
  readonly gpu: GpuDevice;
  readonly channel: Channel;
  readonly kernel: Kernel;
  readonly epochs: Epochs;
  readonly text: ProgramText;
  /** Its buffer of words: see `ProgramWord`. */
  readonly words: GPUBuffer;
}

async function runKernel(
  program: CompiledProgram,
  options: ProgramOptions,
): Promise<ProgramReport> {
  const { gpu, channel, kernel, epochs, words } = program;
  const { heap } = epochs;
  const { args = [], env = {}, libraries = [] } = options;
  const { argc, argv, envp } = putArguments(heap, { args, env });
  gpu.device.queue.writeBuffer(words, 4 * ProgramWord.argc, Uint32Array.of(argc, argv, envp));
  const bare = new Server(channel, {
    portWaiter: epochs.portWaiter,
    onFault: () => server.fail(),
  });
  using server: ProgramServer = new ProgramServer(bare, heap, {
    ...options,
    libraries: libraries.filter(({ api }) => program.text.apis.includes(api)),
  });
  const reports = await runPhases(program, server);
  return {
    ...sumOf(reports),
    results: await resultsOf(gpu, words),
    exitStatus: server.exitStatus,
    frameBytes: kernel.frameBytes,
    channelBytes: channel.layout.totalBytes,
    heapBytes: heap.sizeBytes,
    heapUsedBytes: heap.allocator.usedBytes,
  };
}

/** Runs one phase after the other, up to the one that ends the program. */
async function runPhases(
  { gpu, epochs, words, text }: CompiledProgram,
  server: ProgramServer,
): Promise<EpochReport[]> {
  const reports: EpochReport[] = [];
  for (const phase of text.phases) {
    if (server.hasEnded) break;
    gpu.device.queue.writeBuffer(words, 4 * ProgramWord.phase, Uint32Array.of(phase));
    reports.push(await epochs.run(server, LIMITS));
  }
  return reports;
}

/** What all phases did together. */
function sumOf(reports: readonly EpochReport[]) {
  const sum = (name: "epochCount" | "packetCount") =>
    reports.reduce((total, report) => total + report[name], 0);
  const seconds = reports.map(({ kernelSeconds }) => kernelSeconds)
    .filter((one) => one !== undefined);
  return {
    epochCount: sum("epochCount"),
    packetCount: sum("packetCount"),
    kernelSeconds: seconds.length > 0 ? seconds.reduce((total, one) => total + one) : undefined,
  };
}

async function resultsOf(gpu: GpuDevice, words: GPUBuffer): Promise<Int32Array> {
  return new Int32Array(
    await readOwnBuffer(gpu, words, { startByte: 4 * ProgramWord.results }),
  );
}
