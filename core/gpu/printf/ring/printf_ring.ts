import { createReadback } from "../../device/create_readback.ts";
import type { DeviceTask, Readback, ReadbackName } from "../../device/readback.ts";
import { orderCalls, type PrintedTextOptions } from "./printed_text.ts";
import { type PrintedCall, type PrintfFormat, readRing, type RingContent } from "./read_ring.ts";
import type { RingPlace } from "./ring_binding.ts";

/** How a ring is made. */
export interface RingOptions {
  /** Size of the ring, a multiple of 4 of at least 16; 256 KiB when absent. */
  readonly bytes?: number;
  /** The fastest way that may be trusted when absent. */
  readonly readback?: ReadbackName;
}

/** How what was printed is handed over. */
export interface PrintedOptions extends PrintedTextOptions {
  /** Is given each call. What it throws ends the reading, and the calls behind are lost. */
  readonly sink?: (text: string, call: PrintedCall) => void;
}

/** What a device has printed since the last look. */
export interface PrintfReport {
  /** All calls, one behind the other. */
  readonly text: string;
  /** How many calls the text holds. */
  readonly callCount: number;
  /** Calls that found the ring full; none of them is in the text in part. From 4026531840 on it may be more. */
  readonly lostCount: number;
  /** Words in the ring that are none of its records; 0 unless something else wrote there. */
  readonly damagedWords: number;
  /** What is missing in the text, a sentence each; empty when nothing is. */
  readonly warnings: readonly string[];
}

/** What a shader with `printf` tells of itself to its ring. */
export interface RingShader extends RingPlace {
  readonly formats: readonly PrintfFormat[];
  /** Which stages use the ring. */
  readonly visibility: GPUShaderStageFlags;
}

/** A pass of a compute or a render pipeline. */
export type RingPass = Pick<GPUBindingCommandsMixin, "setBindGroup">;
/** A compute or a render pipeline. */
export type RingPipeline = Pick<GPUPipelineBase, "getBindGroupLayout">;

/**
 * The buffer that the `printf` of one shader writes into, and what reads it. It holds what all
 * dispatches and draws since the last `printed()` have printed.
 */
export class PrintfRing {
  /** Where records are written. */
  readonly buffer: GPUBuffer;
  /** For the bind group layout of an explicit pipeline layout, where the ring shares a group. */
  readonly layoutEntry: GPUBindGroupLayoutEntry;
  /** For the bind group, where the ring shares a group. */
  readonly entry: GPUBindGroupEntry;
  readonly #device: GPUDevice;
  readonly #shader: RingShader;
  readonly #bytes: number;
  readonly #groups = new WeakMap<RingPipeline, GPUBindGroup>();
  readonly #readback: Promise<Readback>;
  #layout: GPUBindGroupLayout | undefined;
  #group: GPUBindGroup | undefined;
  #last: Promise<unknown> = Promise.resolve();

  /** @internal Made by `withPrintf(...).attach`. */
  constructor(device: GPUDevice, shader: RingShader, options: RingOptions) {
    const { bytes = 1 << 18, readback } = options;
    checkBytes(bytes, device.limits);
    const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
    this.#device = device;
    this.#shader = shader;
    this.#bytes = bytes;
    this.buffer = device.createBuffer({ size: bytes, usage, label: "printf" });
    const { binding, visibility } = shader;
    this.layoutEntry = { binding, visibility, buffer: { type: "storage" } };
    this.entry = { binding, resource: { buffer: this.buffer } };
    this.#readback = createReadback(device, { bytes, readback });
    // Whoever reads is told; nobody else has to be.
    this.#readback.catch(() => {});
  }

  /**
   * The layout of the ring's own group, to stand behind the author's in an explicit pipeline layout.
   *
   * @throws {TypeError} when the ring shares a group with the author's variables
   */
  get layout(): GPUBindGroupLayout {
    this.#checkOwnGroup("lay out");
    return this.#layout ??= this.#device.createBindGroupLayout({ entries: [this.layoutEntry] });
  }

  /**
   * Binds the ring in a pass, before its dispatch or draw.
   *
   * @param pipeline the one of the pass, where its layout is "auto": such a layout takes no other's groups
   * @throws {TypeError} when the ring shares a group with the author's variables
   */
  bind(pass: RingPass, pipeline?: RingPipeline): void {
    this.#checkOwnGroup("bind");
    const group = pipeline ? this.#groupOf(pipeline) : this.#group ??= this.#bindGroup(this.layout);
    pass.setBindGroup(this.#shader.group, group);
  }

  /**
   * Reads what was printed by all that was submitted before, and empties the ring.
   *
   * @throws {DOMException} when the device is lost, or eager readback is wanted and not to be trusted
   */
  printed(options: PrintedOptions = {}): Promise<PrintfReport> {
    const reading = this.#last.then(async () => {
      const readback = await this.#readback;
      return await readback.run(this.#read(readback));
    });
    this.#last = reading.catch(() => {});
    return reading.then((content) => handOver(content, options, this.#bytes));
  }

  /** Frees the buffers. */
  async destroy(): Promise<void> {
    await this.#last;
    const readback = await this.#readback.catch(() => undefined);
    await readback?.settle();
    readback?.destroy();
    this.buffer.destroy();
  }

  *#read(readback: Readback): DeviceTask<RingContent> {
    const encoder = this.#device.createCommandEncoder();
    encoder.copyBufferToBuffer(this.buffer, 0, readback.buffer, 0, this.#bytes);
    encoder.clearBuffer(this.buffer);
    this.#device.queue.submit([encoder.finish()]);
    let content: RingContent | undefined;
    yield {
      bytes: this.#bytes,
      use: ({ buffer, byteOffset, length }) =>
        content = readRing(new Uint32Array(buffer, byteOffset, length), this.#shader.formats),
    };
    return content!;
  }

  #groupOf(pipeline: RingPipeline): GPUBindGroup {
    const known = this.#groups.get(pipeline);
    if (known) return known;
    const made = this.#bindGroup(pipeline.getBindGroupLayout(this.#shader.group));
    this.#groups.set(pipeline, made);
    return made;
  }

  #bindGroup(layout: GPUBindGroupLayout): GPUBindGroup {
    return this.#device.createBindGroup({ layout, entries: [this.entry], label: "printf" });
  }

  #checkOwnGroup(what: string): void {
    const { isGroupShared, group } = this.#shader;
    if (!isGroupShared) return;
    throw new TypeError(
      `Cannot ${what} the ring alone as it shares group ${group} with variables of the shader: add layoutEntry to the layout of that group and entry to its bind group, or choose a free group by the option group`,
    );
  }
}

function checkBytes(bytes: number, { maxStorageBufferBindingSize }: GPUSupportedLimits): void {
  const isRight = Number.isInteger(bytes) && bytes % 4 === 0 && bytes >= 16;
  if (isRight && bytes <= maxStorageBufferBindingSize) return;
  throw new RangeError(
    `Cannot make a ring as bytes must be a multiple of 4 from 16 to ${maxStorageBufferBindingSize}: current value is ${bytes}`,
  );
}

function handOver(content: RingContent, options: PrintedOptions, bytes: number): PrintfReport {
  const calls = orderCalls(content.calls, options);
  for (const call of calls) options.sink?.(call.text, call);
  return {
    text: calls.map(({ text }) => text).join(""),
    callCount: calls.length,
    lostCount: content.lostCount,
    damagedWords: content.damagedWords,
    warnings: warningsOf(content, bytes),
  };
}

function warningsOf({ lostCount, damagedWords }: RingContent, bytes: number): string[] {
  const warnings: string[] = [];
  if (lostCount > 0) {
    warnings.push(
      `${lostCount} calls of printf were lost as the ring of ${bytes} bytes was full: attach a larger one by the option bytes, or read it more often`,
    );
  }
  if (damagedWords > 0) {
    warnings.push(
      `${damagedWords} words of the ring are no records, and what they held is lost: something else has written into its buffer`,
    );
  }
  return warnings;
}
