import { type CopyOut, EagerReadback } from "./readback.ts";
import { ReadbackBuffer } from "./readback_buffer.ts";

/** What a probe found. */
export interface ReadbackProbe {
  /** Whether every word was right. */
  readonly passed: boolean;
  /** One sentence: how many values were right, or what went wrong. */
  readonly detail: string;
}

const ROUNDS = 16;
const WORD_COUNT = 256;
const BUFFER_COUNT = 2;
/** Long enough that a read which does not wait for the device sees the pattern of before. */
const CHAIN_STEPS = 1000;

/** Each word becomes the end of a chain of steps from the seed: there is no shorter way to it. */
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
 * Finds out whether eager readback works with this device in this runtime: writes known patterns
 * with a kernel that takes its time, reads each back at once through buffers in turn, compares
 * every word, and sees that no mapping fails afterwards. Takes some 50 ms on a processor.
 *
 * A wrong word, an exception and a late rejection each make it fail. Nothing reads eagerly on a
 * device before its probe has passed.
 *
 * @example
 * ```ts
 * import { requestGpuDevice } from "./device.ts";
 * import { probeEagerReadback } from "./readback_probe.ts";
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
