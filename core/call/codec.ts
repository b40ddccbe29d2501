import { CloneDecoder } from "./clone/clone_decoder.ts";
import { CloneEncoder } from "./clone/clone_encoder.ts";

/** How a value crosses as bytes. */
export interface ValueCodec {
  /** What messages call it. */
  readonly name: string;
  /**
   * Writes a value as bytes.
   *
   * @throws {Error} when the value cannot be written this way
   */
  encode(value: unknown): Uint8Array;
  /**
   * Reads the value back.
   *
   * @throws {Error} when the bytes are none of this codec's
   */
  decode(bytes: Uint8Array): unknown;
}

/**
 * JSON in UTF-8: what `JSON.stringify` keeps of a value. `undefined` crosses as no bytes.
 *
 * @example
 * ```ts
 * import { jsonCodec } from "./codec.ts";
 * const bytes = jsonCodec.encode({ name: "lane", index: 3 });
 * if ((jsonCodec.decode(bytes) as { index: number }).index !== 3) throw new Error("the same value");
 * ```
 */
export const jsonCodec: ValueCodec = {
  name: "JSON",
  encode(value) {
    const text: string | undefined = JSON.stringify(value);
    if (text === undefined && value !== undefined) {
      throw new TypeError(`Cannot write the value as JSON: it is a ${typeof value}`);
    }
    return new TextEncoder().encode(text ?? "");
  },
  decode(bytes) {
    return bytes.length === 0 ? undefined : JSON.parse(DECODER.decode(bytes));
  },
};

const DECODER = new TextDecoder("utf-8", { fatal: true });

/**
 * What `structuredClone` copies: maps, sets, dates, typed arrays, cycles, errors, the same in every runtime. The
 * bytes may be anybody's. An instance of a class arrives as an object of its own fields, and a view with a
 * copy of its whole buffer; functions, symbols, promises, weak collections and shared memory are refused.
 *
 * @example
 * ```ts
 * import { cloneCodec } from "./codec.ts";
 * const value = cloneCodec.decode(cloneCodec.encode(new Map([["lane", 3n]]))) as Map<string, bigint>;
 * if (value.get("lane") !== 3n) throw new Error("the same value");
 * ```
 */
export const cloneCodec: ValueCodec = {
  name: "structured clone",
  encode(value) {
    const { headBytes, pieces } = ENCODER.encode(value);
    const totalBytes = pieces.reduce((sum, piece) => sum + piece.length, LENGTH_BYTES);
    const bytes = new Uint8Array(totalBytes);
    new DataView(bytes.buffer).setUint32(0, headBytes, true);
    let offset = LENGTH_BYTES;
    for (const piece of pieces) {
      bytes.set(piece, offset);
      offset += piece.length;
    }
    return bytes;
  },
  decode(bytes) {
    const { buffer, byteOffset, length } = bytes;
    const headBytes = length < LENGTH_BYTES
      ? 0
      : new DataView(buffer, byteOffset).getUint32(0, true);
    let offset = Math.min(LENGTH_BYTES + headBytes, length);
    const head = bytes.subarray(LENGTH_BYTES, offset);
    const { value, buffers } = new CloneDecoder(head, length - offset).read();
    for (const target of buffers) {
      target.set(bytes.subarray(offset, offset + target.length));
      offset += target.length;
    }
    return value;
  },
};

const ENCODER = new CloneEncoder();
/** In front of a message whose pieces lie one behind the other. */
const LENGTH_BYTES = 4;
