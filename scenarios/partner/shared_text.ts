const LENGTH_BYTES = 4;

/**
 * A text that one isolate writes and another reads without a message, so that a blocked event loop
 * does not matter. It is written without atomics: the writer makes an atomic store after it, and the
 * reader looks at the text only when it has seen that store.
 *
 * @example
 * ```ts
 * import { SharedText } from "./shared_text.ts";
 * const text = new SharedText(new Uint8Array(new SharedArrayBuffer(64)));
 * text.write("no port was free");
 * if (text.read() !== "no port was free") throw new Error("the text is kept");
 * ```
 */
export class SharedText {
  readonly #length: DataView;
  readonly #bytes: Uint8Array;

  /** @param bytes where the text lives; what does not fit is cut off */
  constructor(bytes: Uint8Array) {
    this.#length = new DataView(bytes.buffer, bytes.byteOffset, LENGTH_BYTES);
    this.#bytes = bytes.subarray(LENGTH_BYTES);
  }

  write(text: string): void {
    const encoded = new TextEncoder().encode(text).subarray(0, this.#bytes.length);
    this.#bytes.set(encoded);
    this.#length.setUint32(0, encoded.length);
  }

  /** What was written last; empty before. */
  read(): string {
    const byteCount = Math.min(this.#length.getUint32(0), this.#bytes.length);
    return new TextDecoder().decode(this.#bytes.slice(0, byteCount));
  }
}
