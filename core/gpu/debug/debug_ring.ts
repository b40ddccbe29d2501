import type { printingModule } from "../print/with_printf.ts";
import type { PrintfRing, RingOptions, RingPass, RingPipeline } from "../print/ring/printf_ring.ts";
import {
  labelCalls,
  type PrintedCall,
  type PrintedTextOptions,
} from "../print/ring/ring_records.ts";
import { DebugCollector, type DebugReport, type RecordReader } from "./debug_report.ts";

/** What a ring has to know of its shader. */
export interface DebugShader {
  readonly printing: ReturnType<typeof printingModule>;
  readonly options: RingOptions;
  readonly reader: RecordReader;
  readonly isGroupShared: boolean;
}

/** The buffer that one shader writes its records to. */
export class DebugRing {
  readonly #shader: DebugShader;
  readonly #ring: PrintfRing;

  /** @internal Made by `withDebug(...).attach`. */
  constructor(device: GPUDevice, shader: DebugShader) {
    const { printing, options, isGroupShared } = shader;
    this.#shader = shader;
    this.#ring = printing.ringOf(device, options, { isGroupShared });
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
    const { failures } = collector;
    return { text, failures, callCount: printed.length, ...counts };
  }

  /** Frees the buffers. */
  async destroy(): Promise<void> {
    await this.#ring.destroy();
  }
}
