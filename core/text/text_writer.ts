const ZERO = 0x30;
const SPACE = 0x20;
const DIGITS = "0123456789abcdef";
const BILLION = 1e9;

/**
 * A growing text in UTF-8, which `printf` writes to. It collects many lines, as a string or array per
 * line would cost several times as much as formatting it.
 */
export class TextWriter {
  #bytes: Uint8Array<ArrayBuffer>;
  #length = 0;

  /** @param firstBytes the initial capacity */
  constructor(firstBytes = 4096) {
    this.#bytes = new Uint8Array(firstBytes);
  }

  get length(): number {
    return this.#length;
  }

  /** A view of the text, valid until something is added. */
  get written(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#length);
  }

  /** The byte at a position. */
  byteAt(at: number): number {
    return this.#bytes[at]!;
  }

  /** Truncates the text without freeing memory; to nothing when `length` is absent. */
  cut(length = 0): void {
    this.#length = length;
  }

  add(source: Uint8Array): void {
    const at = this.#grow(source.length);
    // Most texts of a format are short, and then a loop is faster.
    if (source.length > 32) this.#bytes.set(source, at);
    else for (let byte = 0; byte < source.length; byte++) this.#bytes[at + byte] = source[byte]!;
  }

  /** Adds a text of ASCII characters. */
  addAscii(text: string): void {
    const at = this.#grow(text.length);
    for (let byte = 0; byte < text.length; byte++) this.#bytes[at + byte] = text.charCodeAt(byte);
  }

  addByte(byte: number): void {
    const at = this.#grow(1); // first, as growing replaces the memory
    this.#bytes[at] = byte;
  }

  /** Adds an integer from 0 to 2 ** 53 - 1 in decimal. */
  addInteger(value: number): void {
    if (value < BILLION) return this.addDigits(value, digitCount(value));
    const high = Math.floor(value / BILLION);
    this.addInteger(high);
    this.addDigits(value - high * BILLION, 9);
  }

  /** Adds the last `count` digits, at most 9, of an integer below 10 ** 9. */
  addDigits(value: number, count: number): void {
    const at = this.#grow(count);
    let rest = value | 0;
    for (let byte = at + count - 1; byte >= at; byte--) {
      const next = (rest / 10) | 0;
      this.#bytes[byte] = ZERO + rest - next * 10;
      rest = next;
    }
  }

  /** Adds an unsigned integer of 32 bits in octal or hexadecimal. */
  addBits(value: number, digitBits: 3 | 4): void {
    const count = Math.max(1, Math.ceil((32 - Math.clz32(value)) / digitBits));
    const at = this.#grow(count);
    let rest = value >>> 0;
    for (let byte = at + count - 1; byte >= at; byte--) {
      this.#bytes[byte] = DIGITS.charCodeAt(rest & ((1 << digitBits) - 1));
      rest >>>= digitBits;
    }
  }

  /**
   * Pads the text from `start` on to at least `width` bytes, with spaces before it.
   *
   * @param side `-` adds spaces after it instead, and `0` zeros after the sign
   */
  pad(start: number, { width, side }: { readonly width: number; readonly side: string }): void {
    const spare = width - (this.#length - start);
    if (spare <= 0) return;
    const end = this.#length;
    this.#grow(spare);
    if (side === "-") return void this.#bytes.fill(SPACE, end, end + spare);
    const isSigned = side === "0" && end > start && this.#bytes[start]! < ZERO;
    const from = isSigned ? start + 1 : start;
    this.#bytes.copyWithin(from + spare, from, end);
    this.#bytes.fill(side === "0" ? ZERO : SPACE, from, from + spare);
  }

  /** Makes room for bytes, and returns where it begins. */
  #grow(count: number): number {
    const at = this.#length;
    this.#length = at + count;
    if (this.#length > this.#bytes.length) this.#enlarge();
    return at;
  }

  #enlarge(): void {
    const larger = new Uint8Array(Math.max(this.#length, this.#bytes.length * 2));
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}

function digitCount(value: number): number {
  let count = 1;
  for (let power = 10; value >= power; power *= 10) count++;
  return count;
}
