import { SLOT_BYTES, type Slots } from "./slot.ts";

/** Slots in plain bytes, little-endian as all that this library shares. */
export class ByteSlots implements Slots {
  /** All bytes; slot 0 begins at the first. */
  readonly bytes: Uint8Array;
  readonly #view: DataView;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** The bytes again, for values that are no slots. */
  get view(): DataView {
    return this.#view;
  }

  getUint32(word: number): number {
    return this.#view.getUint32(4 * word, true);
  }

  setUint32(word: number, value: number): void {
    this.#view.setUint32(4 * word, value, true);
  }

  getFloat64(double: number): number {
    return this.#view.getFloat64(SLOT_BYTES * double, true);
  }

  setFloat64(double: number, value: number): void {
    this.#view.setFloat64(SLOT_BYTES * double, value, true);
  }

  getBigUint64(double: number): bigint {
    return this.#view.getBigUint64(SLOT_BYTES * double, true);
  }

  setBigUint64(double: number, value: bigint): void {
    this.#view.setBigUint64(SLOT_BYTES * double, value, true);
  }
}
