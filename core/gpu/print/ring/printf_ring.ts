import { checkChoice, checkOptionNames } from "../../../text/nearest.ts";
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
import type { RingPlace } from "../ring_place.ts";
import { DISPATCH_COUNT } from "./dispatch_numbers.ts";
import type { PrintfFilter } from "./printf_filter.ts";
import {
  checkRingBytes,
  GROWN_RING_BYTES,
  grownBytes,
  RING_BYTES,
  RingBuffer,
} from "./ring_buffer.ts";

/** Options of a ring. */
export interface RingOptions {
  /** Size of the ring, a multiple of 4 of at least 16; 256 KiB when absent. */
  readonly bytes?: number;
  /**
   * How large the ring may become: after calls were lost, it doubles until they would have found room.
   * When absent, `bytes` if that is given, or else 16 MiB. A ring in a group of yours stays as it is.
   */
  readonly bytesMax?: number;
  /** What to print; everything when absent. */
  readonly filter?: PrintfFilter;
  /** How to read; when absent, `eager` if the device passes its probe. */
  readonly readback?: ReadbackName;
}

/** What a ring has to know of its shader. */
export interface RingShader extends RingPlace {
  readonly formats: readonly PrintfFormat[];
  /** The stages that use the ring. */
  readonly visibility: GPUShaderStageFlags;
  /** Names the text in what failed asserts print. */
  readonly file: string;
}

const OPTIONS: readonly string[] = ["bytes", "bytesMax", "filter", "readback"];
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
  readonly #device: GPUDevice;
  readonly #shader: RingShader;
  readonly #options: RingOptions;
  readonly #bytesMax: number;
  readonly #formats: readonly RecordFormat[];
  #ring!: RingBuffer;
  #readback!: Promise<Readback>;
  #groups = new WeakMap<object, GPUBindGroup[]>();
  /** Labels of what was bound since the last reading. */
  #labels: string[] = [];
  #layout: GPUBindGroupLayout | undefined;
  #filter: PrintfFilter = {};

  /** @internal Made by `withPrintf(...).attach`. */
  constructor(device: GPUDevice, shader: RingShader, options: RingOptions) {
    checkOptionNames("make a ring", options, OPTIONS);
    const { bytes = RING_BYTES, filter = {} } = options;
    if (!device?.limits) {
      throw new TypeError(
        `Cannot make a ring as attach() takes a GPUDevice: current value is ${device}`,
      );
    }
    const limit = device.limits.maxStorageBufferBindingSize;
    const largest = options.bytes === undefined ? Math.min(GROWN_RING_BYTES, limit) : bytes;
    const { bytesMax = Math.max(bytes, largest) } = options;
    checkRingBytes("make a ring", { bytes, bytesMax }, limit);
    this.#device = device;
    this.#shader = shader;
    this.#options = options;
    this.#bytesMax = shader.isGroupShared ? bytes : bytesMax;
    this.#formats = recordFormats(shader.formats);
    this.#allocate(bytes);
    this.setFilter(filter);
  }

  /** The buffer of the records; another one after the ring has grown. */
  get buffer(): GPUBuffer {
    return this.#ring.buffer;
  }

  /** For the bind group layout of an explicit pipeline layout, where the ring shares a group. */
  get layoutEntry(): GPUBindGroupLayoutEntry {
    return this.#ring.layoutEntries[0]!;
  }

  /** For the bind group, where the ring shares a group. */
  get entry(): GPUBindGroupEntry {
    return this.#ring.entries(0)[0]!;
  }

  /**
   * Sets what is printed from the next submit on, without compiling anything.
   *
   * @throws {TypeError} when the filter asks for something else
   * @throws {RangeError} when a number is none of a lane, workgroup or pixel
   */
  setFilter(filter: PrintfFilter): void {
    this.#ring.setFilter(filter);
    this.#filter = filter;
  }

  /**
   * The layout of the ring's own group, which follows the author's in an explicit pipeline layout.
   *
   * @throws {TypeError} when the ring shares a group with the author's variables
   */
  get layout(): GPUBindGroupLayout {
    this.#checkOwnGroup("lay out");
    return this.#layout ??= this.#device.createBindGroupLayout({
      entries: [...this.#ring.layoutEntries],
    });
  }

  /**
   * Binds the ring in a pass, before its dispatch or draw. Each call begins a dispatch of its own, whose
   * lines come behind those before it; beyond 1024 between two readings they count as one.
   *
   * @param pipeline of the pass, if its layout is "auto": such a layout only accepts its own groups
   * @param label of the dispatch or draw, for labelled lines
   * @throws {TypeError} when the ring shares a group with the author's variables
   */
  bind(pass: RingPass, pipeline?: RingPipeline, label = ""): void {
    this.#checkOwnGroup("bind");
    const number = Math.min(this.#labels.length, DISPATCH_COUNT - 1);
    this.#labels[number] = label;
    pass.setBindGroup(this.#shader.group, this.#groupOf(pipeline, number));
  }

  /**
   * Reads what everything submitted so far has printed, and empties the ring.
   *
   * @throws {DOMException} when the device is lost, or eager readback is wanted and not to be trusted
   */
  async printed(options: PrintedOptions = {}): Promise<PrintfReport> {
    const bytes = this.#ring.bytes;
    return reportOf(await this.#content(options.order), options, bytes);
  }

  /**
   * Like {@linkcode printed}, but without strings, which is several times faster for a file.
   *
   * @throws {DOMException} when the device is lost, or eager readback is wanted and not to be trusted
   */
  async printedBytes({ order }: Pick<PrintedTextOptions, "order"> = {}): Promise<PrintfBytes> {
    const bytes = this.#ring.bytes;
    return bytesOf(await this.#content(order), bytes);
  }

  #allocate(bytes: number): void {
    const { isGroupShared, formats, binding, visibility } = this.#shader;
    // Where the ring shares a group, its author binds it, and knows of one buffer only.
    const hasDispatch = !isGroupShared;
    const shape = { binding, visibility, hasDispatch, callCount: formats.length };
    const made = underScopes(this.#device, () => new RingBuffer(this.#device, shape, bytes));
    this.#ring = made.result;
    this.#groups = new WeakMap();
    this.#readback = this.#prepare(made.refusal);
    // The error is thrown when the ring is read.
    this.#readback.catch(() => {});
  }

  async #prepare(refusal: Scoped<RingBuffer>["refusal"]): Promise<Readback> {
    const { buffer: { size: bytes } } = this.#ring;
    const error = await refusal();
    if (error) throw noRoomError("attach a ring", error);
    return await createReadback(this.#device, { bytes, readback: this.#options.readback });
  }

  /** Reads the ring and sorts its records. */
  async #content(order: PrintfOrder = "invocation"): Promise<RingContent> {
    checkChoice("read the ring", { order }, ORDERS);
    const readback = await this.#readback;
    const content = await readback.runAsync(this.#read());
    if (content.lostCount > 0) await this.#grow(readback, content);
    return { ...content, records: content.records.inOrder(order) };
  }

  /** Makes room for what was lost. The old buffer stays, as commands may still name it. */
  async #grow(readback: Readback, { records, lostCount }: RingContent): Promise<void> {
    const { bytes } = this.#ring;
    const grown = grownBytes(bytes, { lostCount, count: records.count }, this.#bytesMax);
    if (!(grown > bytes)) return;
    await readback.settle();
    readback.destroy();
    this.#allocate(grown);
    this.setFilter(this.#filter);
  }

  /** Frees the buffers. */
  async destroy(): Promise<void> {
    const readback = await this.#readback.catch(() => undefined);
    await readback?.settle();
    readback?.destroy();
    this.buffer.destroy();
  }

  *#read(): DeviceTask<RingContent> {
    const labels = this.#labels;
    this.#labels = [];
    let content: RingContent | undefined;
    yield {
      what: "read the ring of printf",
      encode: (encoder, copyOut) => {
        copyOut(this.buffer, 0, 0, this.buffer.size);
        this.#ring.encodeClear(encoder);
      },
      use: ({ buffer, byteOffset, length }) => {
        const words = new Uint32Array(buffer, byteOffset, length);
        content = readRing(words, this.#formats, { labels, file: this.#shader.file });
      },
    };
    return content!;
  }

  #groupOf(pipeline: RingPipeline | undefined, number: number): GPUBindGroup {
    const groups = this.#groups.get(pipeline ?? this) ?? [];
    this.#groups.set(pipeline ?? this, groups);
    return groups[number] ??= this.#device.createBindGroup({
      layout: pipeline?.getBindGroupLayout(this.#shader.group) ?? this.layout,
      entries: [...this.#ring.entries(number)],
      label: "printf",
    });
  }

  #checkOwnGroup(what: string): void {
    const { isGroupShared, group } = this.#shader;
    if (!isGroupShared) return;
    throw new TypeError(
      `Cannot ${what} the ring alone as it shares group ${group} with variables of the shader: add its layoutEntry and entry to that group, or choose a free one by the option group`,
    );
  }
}
