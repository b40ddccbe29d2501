import { Channel } from "../../toggle/channel.ts";
import type { ChannelShape } from "../../toggle/layout.ts";
import type { FaultReport } from "../../toggle/server/dispatch.ts";
import { Server } from "../../toggle/server/server.ts";
import type { GpuDevice } from "../device/device.ts";
import { createOwnBuffer, readOwnBuffer } from "../device/own_buffer.ts";
import { increment } from "../../testing/conformance/services.ts";
import type { EpochReport } from "./epoch_report.ts";
import { Kernel, type KernelOptions, type RunOptions } from "./kernel.ts";
import type { KernelShape } from "../wgsl/kernel_shape.ts";
import type { DeviceTask, ReadbackName } from "../device/readback.ts";
import { createReadback } from "../device/create_readback.ts";

/** Answers each lane's first word plus one. */
export const INCREMENT = 40_000;

export interface KernelRunOptions extends ChannelShape, KernelShape {
  readonly source: string;
  readonly waveCount: number;
  /** Words of `results`, the kernel's own buffer: `@group(1) @binding(0)`. */
  readonly resultWords?: number;
  readonly readback?: ReadbackName;
  readonly epochsMax?: number;
  readonly refusals?: RunOptions["refusals"];
  readonly signal?: AbortSignal;
  readonly timed?: boolean;
  readonly heapBytes?: number;
  readonly register?: (server: Server, kernel: Kernel) => void;
}

export interface KernelRun {
  readonly report: EpochReport;
  readonly results: Int32Array;
  readonly faults: readonly FaultReport[];
  /** The kernel's heap from address 16 on. */
  readonly heap: Uint8Array;
}

/** A kernel on a channel of its own, and a server of this thread that adds 1. */
export interface KernelBed extends Disposable {
  readonly channel: Channel;
  readonly kernel: Kernel;
  readonly server: Server;
  readonly faults: readonly FaultReport[];
}

/** Makes a {@linkcode KernelBed}; the kernel is destroyed with it. */
export async function kernelBed(
  gpu: GpuDevice,
  options: Omit<KernelOptions, "channel"> & ChannelShape,
): Promise<KernelBed> {
  const channel = Channel.create(options);
  const kernel = await Kernel.create(gpu, { ...options, channel });
  const faults: FaultReport[] = [];
  const onFault = (fault: FaultReport) => void faults.push(fault);
  const server = new Server(channel, { portWaiter: kernel.portWaiter, onFault });
  server.operate(INCREMENT, increment);
  return { channel, kernel, server, faults, [Symbol.dispose]: () => kernel.destroy() };
}

/** Runs a kernel once against a server of this thread; frees everything. */
export async function runKernel(gpu: GpuDevice, options: KernelRunOptions): Promise<KernelRun> {
  const { resultWords = 0, register = () => {}, epochsMax = 10_000 } = options;
  const { refusals, signal, heapBytes } = options;
  const results = createOwnBuffer(gpu, Math.max(resultWords, 1) * 4);
  try {
    using bed = await kernelBed(gpu, { ...options, buffers: [{ buffer: results }] });
    const { kernel, server, faults } = bed;
    register(server, kernel);
    const chosen = { ...(refusals && { refusals }), ...(signal && { signal }) };
    const report = await kernel.runAsync(server, { epochsMax, ...chosen });
    const heap = heapBytes ? kernel.heap.read(16, heapBytes - 16).slice() : new Uint8Array();
    return { report, results: new Int32Array(await readOwnBuffer(gpu, results)), faults, heap };
  } finally {
    results.destroy();
  }
}

/** The words of a buffer of the device. */
export async function readWords(device: GPUDevice, buffer: GPUBuffer): Promise<Int32Array> {
  const readback = await createReadback(device, { bytes: buffer.size, readback: "awaited" });
  const words = await readback.runAsync(read(buffer));
  readback.destroy();
  return words;
}

function* read(buffer: GPUBuffer): DeviceTask<Int32Array> {
  let copy = new Int32Array(0);
  yield {
    what: "read",
    encode: (_, copyOut) => copyOut(buffer, 0, 0, buffer.size),
    use: (words) => copy = words.slice(),
  };
  return copy;
}
