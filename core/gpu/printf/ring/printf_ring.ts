import { checkChoice } from "../../../text/nearest.ts";
import { createReadback } from "../../device/create_readback.ts";
import { noRoomError, type Scoped, underScopes } from "../../device/error_scopes.ts";
import type { DeviceTask, Readback, ReadbackName } from "../../device/readback.ts";
import {
  bytesOf,
  type PrintedOptions,
  type PrintedTextOptions,
  type PrintfBytes,
  type PrintfFormat,
  type PrintfOrder,
  type PrintfReport,
  readRing,
  type RecordFormat,
  recordFormats,
  reportOf,
  type RingContent,
} from "./ring_records.ts";
import type { RingPlace } from "../with_printf.ts";

/** Options of a ring. */
export interface RingOptions {
  /** Size of the ring, a multiple of 4 of at least 16; 256 KiB when absent. */
  readonly bytes?: number;
  /** How to read; when absent, `eager` if the device passes its probe. */
  readonly readback?: ReadbackName;
}

/** What a ring has to know of its shader. */
export interface RingShader extends RingPlace {
  readonly formats: readonly PrintfFormat[];
  /** The stages that use the ring. */
  readonly visibility: GPUShaderStageFlags;
}

const ORDERS: readonly PrintfOrder[] = ["invocation", "arrival"];

/** A pass of a compute or a render pipeline. */
export type RingPass = Pick<GPUBindingCommandsMixin, "setBindGroup">;
/** A compute or a render pipeline. */
export type RingPipeline = Pick<GPUPipelineBase, "getBindGroupLayout">;

/**
 * The buffer that the `printf` calls of one shader write to. It holds what all dispatches and draws
 * have printed since the last `printed()`.
 */
export class PrintfRing {
  /** The buffer of the records. */
  readonly buffer: GPUBuffer;
  /** For the bind group layout of an explicit pipeline layout, where the ring shares a group. */
  readonly layoutEntry: GPUBindGroupLayoutEntry;
  /** For the bind group, where the ring shares a group. */
  readonly entry: GPUBindGroupEntry;
  readonly #device: GPUDevice;
  readonly #shader: RingShader;
  readonly #formats: readonly RecordFormat[];
  readonly #bytes: number;
  readonly #groups = new WeakMap<RingPipeline, GPUBindGroup>();
  readonly #readback: Promise<Readback>;
  #layout: GPUBindGroupLayout | undefined;
  #group: GPUBindGroup | undefined;

  /** @internal Made by `withPrintf(...).attach`. */
  constructor(device: GPUDevice, shader: RingShader, options: RingOptions) {
    const { bytes = 1 << 18, readback } = options;
    checkBytes(bytes, device.limits);
    const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
    this.#device = device;
    this.#shader = shader;
    this.#formats = recordFormats(shader.formats);
    this.#bytes = bytes;
    const made = underScopes(
      device,
      () => device.createBuffer({ size: bytes, usage, label: "printf" }),
    );
    this.buffer = made.result;
    const { binding, visibility } = shader;
    this.layoutEntry = { binding, visibility, buffer: { type: "storage" } };
    this.entry = { binding, resource: { buffer: this.buffer } };
    this.#readback = this.#prepare(made.refusal, readback);
    // The error is thrown when the ring is read.
    this.#readback.catch(() => {});
  }

  /**
   * The layout of the ring's own group, which follows the author's in an explicit pipeline layout.
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
   * @param pipeline of the pass, if its layout is "auto": such a layout only accepts its own groups
   * @throws {TypeError} when the ring shares a group with the author's variables
   */
  bind(pass: RingPass, pipeline?: RingPipeline): void {
    this.#checkOwnGroup("bind");
    const group = pipeline ? this.#groupOf(pipeline) : this.#group ??= this.#bindGroup(this.layout);
    pass.setBindGroup(this.#shader.group, group);
  }

  /**
   * Reads what everything submitted so far has printed, and empties the ring.
   *
   * @throws {DOMException} when the device is lost, or eager readback is wanted and not to be trusted
   */
  async printed(options: PrintedOptions = {}): Promise<PrintfReport> {
    return reportOf(await this.#content(options.order), options, this.#bytes);
  }

  /**
   * Like {@linkcode printed}, but without strings, which is several times faster for a file.
   *
   * @throws {DOMException} when the device is lost, or eager readback is wanted and not to be trusted
   */
  async printedBytes({ order }: Pick<PrintedTextOptions, "order"> = {}): Promise<PrintfBytes> {
    return bytesOf(await this.#content(order), this.#bytes);
  }

  async #prepare(refusal: Scoped<GPUBuffer>["refusal"], readback?: ReadbackName) {
    const error = await refusal();
    if (error) throw noRoomError("attach a ring", error);
    return await createReadback(this.#device, { bytes: this.#bytes, readback });
  }

  /** Reads the ring and sorts its records. */
  async #content(order: PrintfOrder = "invocation"): Promise<RingContent> {
    checkChoice("read the ring", { order }, ORDERS);
    const readback = await this.#readback;
    const content = await readback.runAsync(this.#read());
    return { ...content, records: content.records.inOrder(order) };
  }

  /** Frees the buffers. */
  async destroy(): Promise<void> {
    const readback = await this.#readback.catch(() => undefined);
    await readback?.settle();
    readback?.destroy();
    this.buffer.destroy();
  }

  *#read(): DeviceTask<RingContent> {
    let content: RingContent | undefined;
    yield {
      what: "read the ring of printf",
      encode: (encoder, copyOut) => {
        copyOut(this.buffer, 0, 0, this.#bytes);
        encoder.clearBuffer(this.buffer);
      },
      use: ({ buffer, byteOffset, length }) =>
        content = readRing(new Uint32Array(buffer, byteOffset, length), this.#formats),
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
