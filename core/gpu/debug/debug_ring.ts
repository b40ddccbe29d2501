import type { printingModule } from "../printf/with_printf.ts";
import type {
  PrintfRing,
  RingOptions,
  RingPass,
  RingPipeline,
} from "../printf/ring/printf_ring.ts";
import {
  FRAGMENT_MARK,
  labelCalls,
  type PrintedCall,
  type PrintedTextOptions,
  type PrintfPlace,
} from "../printf/ring/ring_records.ts";
import { checkChoice } from "../../text/nearest.ts";
import { DebugCollector, type DebugReport, type RecordReader } from "./debug_report.ts";
import { PICK_HEAD_WORDS, PICK_WORDS, type VertexTwin } from "./rewrite/vertex_twin.ts";

/** What a ring has to know of its shader. */
export interface DebugShader {
  readonly printing: ReturnType<typeof printingModule>;
  readonly options: RingOptions;
  readonly reader: RecordReader;
  readonly twins: readonly VertexTwin[];
  readonly isTracing: boolean;
  readonly isGroupShared: boolean;
  readonly source: string;
}

/** The invocation to trace: a lane of a compute stage, or a pixel of a fragment stage. */
export type Pick =
  | { readonly workgroupIndex: number; readonly laneIndex: number }
  | { readonly x: number; readonly y: number };

/** One vertex, as a draw would hand it to its stage. */
export interface PickedVertex {
  /** The vertex stage; the first of the text when absent. */
  readonly entryPoint?: string;
  /** 0 when absent. */
  readonly vertexIndex?: number;
  /** 0 when absent. */
  readonly instanceIndex?: number;
  /** The components of each attribute, by its name in the shader. */
  readonly attributes?: Readonly<Record<string, ArrayLike<number>>>;
  /** Binds the author's groups; the ring's own is bound already. */
  readonly bind?: (pass: GPUComputePassEncoder, pipeline: GPUComputePipeline) => void;
  /** The layout of the pipeline; "auto" when absent. */
  readonly layout?: GPUPipelineLayout | "auto";
  /** The values of override constants. */
  readonly constants?: Record<string, number>;
}

/** The buffers that one shader writes its records to, and reads which invocation is traced. */
export class DebugRing {
  readonly #device: GPUDevice;
  readonly #shader: DebugShader;
  readonly #ring: PrintfRing;
  readonly #pick: GPUBuffer | undefined;
  #module: GPUShaderModule | undefined;

  /** @internal Made by `withDebug(...).attach`. */
  constructor(device: GPUDevice, shader: DebugShader) {
    const { printing, options, isGroupShared, isTracing } = shader;
    const usage = GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST;
    this.#device = device;
    this.#shader = shader;
    this.#pick = isTracing
      ? device.createBuffer({ size: PICK_WORDS * 4, usage, label: "debug" })
      : undefined;
    this.#ring = printing.ringOf(device, options, { isGroupShared, beside: this.#pick });
  }

  /** For the bind group layout, where the ring shares a group. */
  get layoutEntries(): readonly GPUBindGroupLayoutEntry[] {
    return this.#ring.allEntries.layout;
  }

  /** For the bind group, where the ring shares a group. */
  get entries(): readonly GPUBindGroupEntry[] {
    return this.#ring.allEntries.group;
  }

  /**
   * The layout of the ring's own group, which follows the author's in an explicit pipeline layout.
   *
   * @throws {TypeError} when the ring shares a group with the author's variables
   */
  get layout(): GPUBindGroupLayout {
    return this.#ring.layout;
  }

  /**
   * Binds the ring in a pass, before its dispatch or draw.
   *
   * @param pipeline of the pass, if its layout is "auto": such a layout only accepts its own groups
   * @throws {TypeError} when the ring shares a group with the author's variables
   */
  bind(pass: RingPass, pipeline?: RingPipeline): void {
    this.#ring.bind(pass, pipeline);
  }

  /**
   * Chooses the invocation that is traced from the next submit on; none if there is no argument.
   *
   * @throws {TypeError} when the shader has no trace
   * @throws {RangeError} when a number is not an index
   */
  pick(place?: Pick): void {
    const words = new Uint32Array(4);
    if (place) {
      for (const [name, value] of Object.entries(place)) checkIndex(name, value);
      const [x, y] = "x" in place
        ? [FRAGMENT_MARK, place.y << 16 | place.x]
        : [place.laneIndex, place.workgroupIndex];
      words.set([x, y, 1]);
    }
    this.#write(words);
  }

  /**
   * Reads what everything submitted so far has recorded, and empties the ring.
   *
   * @throws {DOMException} when the device is lost, or eager readback is wanted and not to be trusted
   */
  async report(options: PrintedTextOptions = {}): Promise<DebugReport> {
    const collector = new DebugCollector(this.#shader.reader);
    const printed: PrintedCall[] = [];
    const { order } = options;
    const { text: _, callCount: __, ...counts } = await this.#ring.printed({
      ...order && { order },
      sink: (text, call) => {
        if (!collector.take({ ...call, text })) printed.push({ ...call, text });
      },
    });
    const calls = options.isLabelled ? [...labelCalls(printed)] : printed;
    const text = calls.map((call) => call.text).join("");
    const { failures, trace } = collector;
    return { text, failures, trace, callCount: printed.length, ...counts };
  }

  /**
   * Runs a vertex stage for one vertex, as compute, and reads what it has recorded: a vertex stage itself
   * cannot write. Empties the ring before.
   *
   * @throws {TypeError} when the shader has no trace or no such stage, or an attribute is missing
   * @throws {DOMException} when the device is lost
   */
  async traceVertex(vertex: PickedVertex = {}): Promise<DebugReport> {
    const twin = this.#twinOf(vertex.entryPoint);
    const words = vertexWords(twin, vertex);
    await this.report();
    const device = this.#device;
    this.#write(words);
    const module = this.#module ??= device.createShaderModule({ code: this.#shader.source });
    const { layout = "auto", constants, bind } = vertex;
    const pipeline = await device.createComputePipelineAsync({
      layout,
      compute: { module, entryPoint: twin.entryName, ...constants && { constants } },
    });
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    bind?.(pass, pipeline);
    if (!this.#shader.isGroupShared) this.bind(pass, layout === "auto" ? pipeline : undefined);
    pass.dispatchWorkgroups(1);
    pass.end();
    device.queue.submit([encoder.finish()]);
    const report = await this.report();
    this.pick();
    return report;
  }

  /** Frees the buffers. */
  async destroy(): Promise<void> {
    await this.#ring.destroy();
    this.#pick?.destroy();
  }

  #write(words: Uint32Array<ArrayBuffer>): void {
    if (!this.#pick) {
      throw new TypeError(
        "Cannot trace as the shader has no trace: pass the option trace to withDebug()",
      );
    }
    this.#device.queue.writeBuffer(this.#pick, 0, words);
  }

  #twinOf(entryPoint: string | undefined): VertexTwin {
    const { twins, isTracing } = this.#shader;
    const twin = twins.find(({ name }) => name === (entryPoint ?? name));
    if (twin) return twin;
    if (isTracing && entryPoint !== undefined) {
      checkChoice("trace a vertex", { entryPoint }, twins.map(({ name }) => name));
    }
    throw new TypeError(
      isTracing
        ? "Cannot trace a vertex as the shader has no vertex stage: pick a lane or a pixel"
        : "Cannot trace a vertex as the shader has no trace: pass the option trace to withDebug()",
    );
  }
}

function checkIndex(name: string, value: number): void {
  if (Number.isInteger(value) && value >= 0 && value < 2 ** 32) return;
  throw new RangeError(
    `Cannot pick an invocation as ${name} must be an integer from 0: current value is ${value}`,
  );
}

/** The words of the pick for one vertex. */
function vertexWords(twin: VertexTwin, vertex: PickedVertex): Uint32Array<ArrayBuffer> {
  const { vertexIndex = 0, instanceIndex = 0, attributes = {} } = vertex;
  checkIndex("vertexIndex", vertexIndex);
  checkIndex("instanceIndex", instanceIndex);
  const words = new Uint32Array(PICK_WORDS);
  words.set([0, 0, 1, 0, vertexIndex, instanceIndex]);
  const names = twin.attributes.map(({ name }) => name);
  for (const name of Object.keys(attributes)) {
    checkChoice("trace a vertex", { attribute: name }, names);
  }
  for (const { name, location, scalar, componentCount } of twin.attributes) {
    const values = attributes[name];
    if (!values || values.length < componentCount) {
      throw new TypeError(
        `Cannot trace a vertex as its attribute ${name} needs ${componentCount} numbers: current value is ${
          values ? `[${Array.from(values).join(", ")}]` : "undefined"
        }`,
      );
    }
    const at = (PICK_HEAD_WORDS + location * 4) * 4;
    const constructor = scalar === "u32"
      ? Uint32Array
      : scalar === "i32"
      ? Int32Array
      : Float32Array;
    new constructor(words.buffer, at, componentCount).set(
      Array.from(values).slice(0, componentCount),
    );
  }
  return words;
}

/** The invocation of a place that a report names, for {@linkcode DebugRing.pick}. */
export function pickOf(place: PrintfPlace): Pick {
  return place.stage === "compute"
    ? { workgroupIndex: place.workgroupIndex, laneIndex: place.laneIndex }
    : { x: place.x, y: place.y };
}
