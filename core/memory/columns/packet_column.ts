import { WasmCode } from "../wasm_code.ts";
import { COLUMNS_BYTES } from "./columns_bytes.ts";

/** What `columns.wat` does. */
export interface ColumnCode {
  readonly fill: (byte: number, count: number, value: number) => void;
  readonly add: (byte: number, count: number, value: number) => void;
  readonly equals: (byte: number, count: number, value: number) => number;
}

const CODE = new WasmCode<ColumnCode>(COLUMNS_BYTES);

/** The code over a memory; nothing where WebAssembly is refused. */
export function columnCode(memory: WebAssembly.Memory): ColumnCode | undefined {
  return CODE.over({ packets: { memory } });
}

/**
 * A word of every lane of a packet: lane `i` at index `i`, also of lanes that do not take part. What is done
 * with all of them at once takes an instruction for four of them where the memory is that of WebAssembly.
 *
 * @example
 * ```ts
 * import { Channel } from "../../toggle/channel.ts";
 * import { Server } from "../../toggle/server/server.ts";
 * const channel = Channel.create({ portCount: 1, laneCount: 64, packetLayout: "word-major" });
 * new Server(channel).operate(40_000, (packet) => void packet.column(0).add(1));
 * ```
 */
export class PacketColumn extends Uint32Array<ArrayBufferLike> {
  readonly #code: ColumnCode | undefined;
  readonly #byte: number;

  /** @internal For `PacketViews`. */
  constructor(words: Uint32Array, code: ColumnCode | undefined) {
    super(words.buffer, words.byteOffset, words.length);
    this.#byte = words.byteOffset;
    this.#code = code;
  }

  /** Copies are arrays like others. */
  static get [Symbol.species](): Uint32ArrayConstructor {
    return Uint32Array;
  }

  /** Writes the same word, modulo 2 to the 32, for every lane, or for those from `start` to before `end`. */
  override fill(value: number, start?: number, end?: number): this {
    if (this.#code === undefined || start !== undefined || end !== undefined) {
      return super.fill(value, start, end);
    }
    this.#code.fill(this.#byte, this.length, value);
    return this;
  }

  /** Adds to every lane, modulo 2 to the 32. */
  add(value: number): this {
    if (this.#code === undefined) {
      const word = value | 0; // before it is added, as there: a fraction is cut, no double loses low bits
      for (let lane = 0; lane < this.length; lane++) this[lane]! += word;
    } else this.#code.add(this.#byte, this.length, value);
    return this;
  }

  /** Whether every lane holds this word, modulo 2 to the 32. */
  equals(value: number): boolean {
    if (this.#code === undefined) return this.every((word) => word === value >>> 0);
    return this.#code.equals(this.#byte, this.length, value) !== 0;
  }
}
