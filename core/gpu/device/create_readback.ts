import { checkChoice } from "../../text/nearest.ts";
import {
  AwaitedReadback,
  type CopyOut,
  EagerReadback,
  type Readback,
  READBACK_NAMES,
  ReadbackBuffer,
  type ReadbackName,
} from "./readback.ts";

/** Options of {@linkcode createReadback}. */
export interface ReadbackOptions {
  /** The most that one read copies out; a multiple of 4, of at least 4. */
  readonly bytes: number;
  /** How to read; when absent, `eager` if the device passes its probe. */
  readonly readback?: ReadbackName | undefined;
}

/**
 * Allocates a buffer for reading back and chooses how it is read. A device is probed only once.
 *
 * @throws {TypeError} when there is no such way of reading back
 * @throws {RangeError} when the device has no memory for the buffer
 * @throws {DOMException} `NotSupportedError` when eager readback is requested and failed its probe
 *
 * @example
 * ```ts
 * import { requestGpuDevice } from "./device.ts";
 * import type { DeviceTask } from "./readback.ts";
 * import { createReadback } from "./create_readback.ts";
 * const gpu = await requestGpuDevice().catch(() => undefined); // a machine without an adapter
 * if (gpu) {
 *   const { device } = gpu;
 *   const usage = GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
 *   const buffer = device.createBuffer({ size: 256, usage });
 *   const readback = await createReadback(device, { bytes: 256 });
 *   const firstWord = function* (): DeviceTask<number> {
 *     let word = -1;
 *     yield {
 *       what: "read the first word",
 *       encode: (_, copyOut) => {
 *         device.queue.writeBuffer(buffer, 0, Int32Array.of(42));
 *         copyOut(buffer, 0, 0, 256);
 *       },
 *       use: (words) => word = words[0]!,
 *     };
 *     return word;
 *   };
 *   if (await readback.runAsync(firstWord()) !== 42) throw new Error("what was written");
 *   readback.destroy();
 *   buffer.destroy();
 * }
 * ```
 */
export async function createReadback(
  device: GPUDevice,
  { bytes, readback }: ReadbackOptions,
): Promise<Readback> {
  checkChoice("read back", { readback }, READBACK_NAMES);
  const isEager = readback !== "awaited" && await mayReadEagerly(device, readback);
  const buffer = await ReadbackBuffer.allocate(device, bytes);
  return isEager ? new EagerReadback(device, buffer) : new AwaitedReadback(device, buffer);
}

const probes = new WeakMap<GPUDevice, Promise<ReadbackProbe>>();

async function mayReadEagerly(device: GPUDevice, wanted?: "eager"): Promise<boolean> {
  const probing = probes.get(device) ?? probeEagerReadback(device);
  probes.set(device, probing);
  const { passed, detail } = await probing;
  if (passed || wanted === undefined) return passed;
  throw new DOMException(
    `Cannot read back eagerly as the device failed its probe: ${detail}; use awaited readback`,
    "NotSupportedError",
  );
}

/** The outcome of a probe. */
export interface ReadbackProbe {
  /** Whether every word was right. */
  readonly passed: boolean;
  /** A sentence that says how many values were right, or what went wrong. */
  readonly detail: string;
}

const ROUNDS = 16;
const WORD_COUNT = 256;
const BUFFER_COUNT = 2;
/** Enough for a read that does not wait for the device to see the previous pattern. */
const CHAIN_STEPS = 1000;

/** Each word is the end of a chain of steps from the seed, which has no shortcut. */
const PATTERN = /* wgsl */ `
@group(0) @binding(0) var<storage, read_write> words: array<u32>;
@group(0) @binding(1) var<uniform> seed: vec4u;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  var value = seed.x + id.x;
  for (var count = 0u; count < ${CHAIN_STEPS}u; count++) { value = value * 1664525u + 1013904223u; }
  words[id.x] = value;
}`;

/**
 * Finds out whether eager readback works with this device in this runtime. A slow kernel writes known
 * patterns, each is read back at once through alternating buffers, every word is compared, and no
 * mapping may fail afterwards. Takes about 50 ms on a processor.
 *
 * A wrong word, an exception or a late rejection makes the probe fail. Nothing is read eagerly on a
 * device before its probe has passed.
 *
 * @example
 * ```ts
 * import { requestGpuDevice } from "./device.ts";
 * import { probeEagerReadback } from "./create_readback.ts";
 * const gpu = await requestGpuDevice().catch(() => undefined);
 * if (gpu && (await probeEagerReadback(gpu.device)).detail === "") throw new Error("it says why");
 * ```
 */
export async function probeEagerReadback(device: GPUDevice): Promise<ReadbackProbe> {
  const kernel = await ProbeKernel.create(device);
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const wrongCount = kernel.countWrong(round, Math.imul(round + 1, 0x9e3779b1) >>> 0);
      if (wrongCount > 0) {
        return {
          passed: false,
          detail: `${wrongCount} of ${WORD_COUNT} words were wrong in round ${round}`,
        };
      }
    }
    await kernel.settle();
    return {
      passed: true,
      detail: `${ROUNDS * WORD_COUNT} words were right, no mapping failed later`,
    };
  } catch (error) {
    return {
      passed: false,
      detail: `reading without awaiting failed: ${(error as Error).message}`,
    };
  } finally {
    kernel.destroy();
  }
}

class ProbeKernel {
  readonly #device: GPUDevice;
  readonly #words: GPUBuffer;
  readonly #seed: GPUBuffer;
  readonly #pipeline: GPUComputePipeline;
  readonly #bindGroup: GPUBindGroup;
  readonly #readbacks: readonly EagerReadback[];

  private constructor(device: GPUDevice, readbacks: readonly EagerReadback[]) {
    const { STORAGE, COPY_SRC, COPY_DST, UNIFORM } = GPUBufferUsage;
    this.#device = device;
    this.#readbacks = readbacks;
    this.#words = device.createBuffer({ size: WORD_COUNT * 4, usage: STORAGE | COPY_SRC });
    this.#seed = device.createBuffer({ size: 16, usage: UNIFORM | COPY_DST });
    const module = device.createShaderModule({ code: PATTERN });
    this.#pipeline = device.createComputePipeline({ layout: "auto", compute: { module } });
    this.#bindGroup = device.createBindGroup({
      layout: this.#pipeline.getBindGroupLayout(0),
      entries: [this.#words, this.#seed].map((buffer, binding) => ({
        binding,
        resource: { buffer },
      })),
    });
  }

  static async create(device: GPUDevice): Promise<ProbeKernel> {
    const bytes = WORD_COUNT * 4;
    const made = Array.from({ length: BUFFER_COUNT }, () => ReadbackBuffer.allocate(device, bytes));
    const buffers = await Promise.all(made);
    return new ProbeKernel(device, buffers.map((buffer) => new EagerReadback(device, buffer)));
  }

  countWrong(round: number, seed: number): number {
    const readback = this.#readbacks[round % this.#readbacks.length]!;
    let wrongCount = 0;
    readback.read({
      what: "probe the device",
      encode: (encoder, copyOut) => this.#encode(encoder, copyOut, seed),
      use: (words) =>
        words.forEach((word, index) => wrongCount += word === chainEnd(seed + index) ? 0 : 1),
    });
    return wrongCount;
  }

  #encode(encoder: GPUCommandEncoder, copyOut: CopyOut, seed: number): void {
    this.#device.queue.writeBuffer(this.#seed, 0, new Uint32Array([seed, 0, 0, 0]));
    const pass = encoder.beginComputePass();
    pass.setPipeline(this.#pipeline);
    pass.setBindGroup(0, this.#bindGroup);
    pass.dispatchWorkgroups(WORD_COUNT / 64);
    pass.end();
    copyOut(this.#words, 0, 0, WORD_COUNT * 4);
  }

  async settle(): Promise<void> {
    for (const readback of this.#readbacks) await readback.settle();
  }

  destroy(): void {
    for (const readback of this.#readbacks) readback.destroy();
    this.#words.destroy();
    this.#seed.destroy();
  }
}

function chainEnd(start: number): number {
  let value = start;
  for (let count = 0; count < CHAIN_STEPS; count++) value = Math.imul(value, 1664525) + 1013904223;
  return value | 0;
}
