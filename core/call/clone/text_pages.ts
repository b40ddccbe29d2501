import { PAGE_CHARS } from "./tags.ts";

const FIRST_BYTES = 1024;
/** What is kept between messages of what a large one needed. */
const KEPT_BYTES = 1 << 22;
/** A page's count of characters and whether they are UTF-16, and its count of bytes. */
const PAGE_HEAD_BYTES = 8;
/** Texts up to this are written here: a call of the engine takes as long as some dozens of characters. */
const FEW_CHARS = 48;
const TEXT_ENCODER = new TextEncoder();
const TEXT_DECODER = new TextDecoder("utf-8", { ignoreBOM: true });
const WIDE_CHUNK = 4096;

/**
 * The texts of a message, one behind the other in pages: the reader makes one string of each page, and parts of it
 * of the texts.
 *
 * @example
 * ```ts
 * import { TextPages } from "./text_pages.ts";
 * const pages = new TextPages();
 * pages.add("lane");
 * if (pages.end().length !== 12) throw new Error("a head, and four characters");
 * ```
 */
export class TextPages {
  #bytes = new Uint8Array(FIRST_BYTES);
  #at = 0;
  /** Where the page at hand begins, and how many characters it has. */
  #pageAt = 0;
  #pageChars = 0;

  /** Adds a text that is not empty. */
  add(text: string): void {
    const { length } = text;
    if (this.#pageChars > 0 && this.#pageChars + length > PAGE_CHARS) this.#endPage(0);
    const start = this.#pageChars > 0 ? this.#at : this.#at + PAGE_HEAD_BYTES;
    if (this.#pageChars === 0) this.#pageAt = this.#at;
    this.#makeRoom(start + length);
    if (length <= FEW_CHARS && this.#putAscii(text, start)) return;
    let { read, written } = TEXT_ENCODER.encodeInto(text, this.#bytes.subarray(start));
    // Of what is not ASCII, half of the characters may have filled the room.
    if (read !== length || written !== length) {
      if (!text.isWellFormed()) return this.#addWide(text);
      this.#makeRoom(start + length * 3);
      ({ read, written } = TEXT_ENCODER.encodeInto(text, this.#bytes.subarray(start)));
    }
    this.#at = start + written;
    this.#pageChars += length;
  }

  /** All pages, until the next message. */
  end(): Uint8Array {
    this.#endPage(0);
    return this.#bytes.subarray(0, this.#at);
  }

  /** Begins the next message. */
  reset(): void {
    this.#at = 0;
    this.#pageChars = 0;
    if (this.#bytes.length > KEPT_BYTES) this.#bytes = new Uint8Array(FIRST_BYTES);
  }

  #putAscii(text: string, start: number): boolean {
    const { length } = text;
    const bytes = this.#bytes;
    for (let index = 0; index < length; index++) {
      const code = text.charCodeAt(index);
      if (code > 127) return false;
      bytes[start + index] = code;
    }
    this.#at = start + length;
    this.#pageChars += length;
    return true;
  }

  /** Halves of pairs survive as they are, in a page of their own. */
  #addWide(text: string): void {
    this.#endPage(0);
    const { length } = text;
    const start = this.#at + PAGE_HEAD_BYTES;
    this.#makeRoom(start + length * 2);
    for (let index = 0; index < length; index++) {
      const code = text.charCodeAt(index);
      this.#bytes[start + index * 2] = code;
      this.#bytes[start + index * 2 + 1] = code >>> 8;
    }
    this.#pageAt = this.#at;
    this.#pageChars = length;
    this.#at = start + length * 2;
    this.#endPage(1);
  }

  #endPage(isWide: 0 | 1): void {
    if (this.#pageChars === 0) return;
    this.#putWord(this.#pageAt, this.#pageChars * 2 + isWide);
    this.#putWord(this.#pageAt + 4, this.#at - this.#pageAt - PAGE_HEAD_BYTES);
    this.#pageChars = 0;
  }

  #putWord(at: number, value: number): void {
    const bytes = this.#bytes;
    bytes[at] = value;
    bytes[at + 1] = value >>> 8;
    bytes[at + 2] = value >>> 16;
    bytes[at + 3] = value >>> 24;
  }

  #makeRoom(totalBytes: number): void {
    if (totalBytes <= this.#bytes.length) return;
    const bytes = new Uint8Array(Math.max(totalBytes, this.#bytes.length * 2));
    bytes.set(this.#bytes.subarray(0, this.#at));
    this.#bytes = bytes;
  }
}

/** The string of a page. */
export function pageText(bytes: Uint8Array, isWide: boolean): string {
  if (!isWide) return TEXT_DECODER.decode(bytes);
  const codes = new Uint16Array(bytes.length >>> 1);
  for (let index = 0; index < codes.length; index++) {
    codes[index] = bytes[index * 2]! | bytes[index * 2 + 1]! << 8;
  }
  let text = "";
  for (let start = 0; start < codes.length; start += WIDE_CHUNK) {
    text += String.fromCharCode(...codes.subarray(start, start + WIDE_CHUNK));
  }
  return text;
}
