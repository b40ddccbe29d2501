import type { CloneReceiver } from "../../call/clone/tags.ts";
import { CloneDecoder } from "../../call/clone/clone_decoder.ts";
import type { CloneMessage } from "../../call/clone/clone_encoder.ts";
import type { Words } from "../../memory/words.ts";
import type { Doorbell } from "../../wait/doorbell.ts";

/**
 * Words of a letter. Most need the first cache line only.
 *
 * | word | what                                                                              |
 * | ---- | --------------------------------------------------------------------------------- |
 * | 0    | its number: written last, and looked for                                          |
 * | 1    | kind, 12 bits; how many values, 4 bits; what each of them is, 4 bits              |
 * | 2    | the call that it belongs to                                                       |
 * | 3    | the values, one behind the other; or what a `CloneEncoder` wrote, and its length  |
 */
export const LETTER_WORDS = 64;
const [HEAD, CALL, FIRST] = [1, 2, 3];

const KIND_MASK = 0xfff;
const COUNT_SHIFT = 12;
const COUNT_MASK = 15;
const TAG_SHIFT = 16;
const TAG_MASK = 15;
const VALUES_MAX = 4;
/** In the place of their count: there is one value, as a `CloneEncoder` writes it. */
const CLONE = 15;
const Tag = { undefined: 0, null: 1, true: 2, false: 3, integer: 4, double: 5, text: 6 } as const;
/** What there is room for behind a length. */
const BYTES_MAX = (LETTER_WORDS - FIRST - 1) * 4;

/** The most bytes that the values of a letter take: who takes fewer from the other side does without letters. */
export const LETTER_BYTES = LETTER_WORDS * 4;

/** Both halves of a double, which a letter has at any word. */
const DOUBLE = new Float64Array(1);
const HALVES = new Int32Array(DOUBLE.buffer);
/** The texts of one character: `String.fromCharCode` takes ten times as long. */
const CHARS = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code));

/**
 * Writes letters: a few small values, or an object that is small, beside the rings. There is one letter under way
 * at a time, and the next is written when the last was answered.
 *
 * @example
 * ```ts
 * import { SharedWords } from "../../memory/words.ts";
 * import { LETTER_WORDS, LetterReader, LetterWriter } from "./mail.ts";
 * const words = new SharedWords(new SharedArrayBuffer(LETTER_WORDS * 4));
 * const writer = new LetterWriter(words, 0);
 * const reader = new LetterReader(words, 0);
 * if (!writer.put(16, 1, ["two", 2])) throw new Error("they fit");
 * writer.send(1);
 * if (!reader.watch(1, 1)) throw new Error("it is there");
 * reader.open();
 * if (reader.next() !== "two" || reader.next() !== 2) throw new Error("both");
 * ```
 */
export class LetterWriter {
  readonly #words: Words;
  readonly #plain: Int32Array;
  readonly #first: number;
  readonly #end: number;
  /** Where the next value goes. */
  #at = 0;

  /** @param firstWord where the letter lies */
  constructor(words: Words, firstWord: number) {
    this.#words = words;
    this.#plain = words.plain;
    this.#first = firstWord;
    this.#end = firstWord + LETTER_WORDS;
  }

  /** Writes all but the number; returns whether everything fits. */
  put(kind: number, id: number, values: readonly unknown[]): boolean {
    const { length } = values;
    if (length > VALUES_MAX) return false;
    this.#at = this.#first + FIRST;
    let tags = 0;
    for (let index = 0; index < length; index++) {
      const tag = this.#putValue(values[index]);
      if (tag < 0) return false;
      tags |= tag << index * 4;
    }
    return this.#close(kind | length << COUNT_SHIFT | tags << TAG_SHIFT, kind, id);
  }

  /** As {@linkcode put}, of one value. */
  putOne(kind: number, id: number, value: unknown): boolean {
    this.#at = this.#first + FIRST;
    const tag = this.#putValue(value);
    return tag >= 0 && this.#close(kind | 1 << COUNT_SHIFT | tag << TAG_SHIFT, kind, id);
  }

  /** As {@linkcode put}, of what was encoded. */
  putClone(kind: number, id: number, { headBytes, pieces }: CloneMessage): boolean {
    // Behind structure and texts come buffers, which have a way of their own.
    if (headBytes > BYTES_MAX || pieces.length > 2) return false;
    const plain = this.#plain;
    let at = this.#first + FIRST;
    plain[at++] = headBytes;
    let [word, shift] = [0, 0];
    for (let piece = 0; piece < pieces.length; piece++) {
      const bytes = pieces[piece]!;
      for (let index = 0; index < bytes.length; index++) {
        word |= bytes[index]! << shift;
        if ((shift += 8) < 32) continue;
        plain[at++] = word;
        word = shift = 0;
      }
    }
    if (shift > 0) plain[at] = word;
    return this.#close(kind | CLONE << COUNT_SHIFT, kind, id);
  }

  #close(head: number, kind: number, id: number): boolean {
    this.#plain[this.#first + HEAD] = head;
    this.#plain[this.#first + CALL] = id;
    return kind <= KIND_MASK;
  }

  /** Shows it to the reader. */
  send(number: number): void {
    // Sync: pairs with the load in LetterReader.watch(): behind the values, which the reader would else miss.
    this.#words.store(this.#first, number);
  }

  /** Returns its tag; -1 when it does not fit. */
  #putValue(value: unknown): number {
    switch (typeof value) {
      case "number":
        return this.#putNumber(value);
      case "string":
        return this.#putText(value);
      case "boolean":
        return value ? Tag.true : Tag.false;
      case "undefined":
        return Tag.undefined;
    }
    return value === null ? Tag.null : -1;
  }

  #putNumber(value: number): number {
    const isInteger = (value | 0) === value && (value !== 0 || 1 / value > 0);
    const at = this.#at;
    if ((this.#at += isInteger ? 1 : 2) > this.#end) return -1;
    if (isInteger) {
      this.#plain[at] = value;
      return Tag.integer;
    }
    DOUBLE[0] = value;
    this.#plain[at] = HALVES[0]!;
    this.#plain[at + 1] = HALVES[1]!;
    return Tag.double;
  }

  /** Of characters of one byte only. */
  #putText(text: string): number {
    const { length } = text;
    let at = this.#at;
    if ((this.#at += 1 + (length + 3 >>> 2)) > this.#end) return -1;
    const plain = this.#plain;
    plain[at++] = length;
    for (let index = 0; index < length; at++) {
      let word = 0;
      for (let shift = 0; shift < 32 && index < length; shift += 8) {
        const code = text.charCodeAt(index++);
        if (code > 255) return -1;
        word |= code << shift;
      }
      plain[at] = word;
    }
    return Tag.text;
  }
}

/** Reads what a {@linkcode LetterWriter} wrote. What it says may be anybody's, and nothing of it is believed. */
export class LetterReader {
  readonly #words: Words;
  readonly #plain: Int32Array;
  readonly #first: number;
  readonly #scratch = new Uint8Array(BYTES_MAX);
  #at = 0;
  #tags = 0;
  /** What it is, of which call, and how many values there are: once it was opened. */
  kind = 0;
  id = 0;
  count = 0;
  /** Whether there is one value, for {@linkcode nextClone}. */
  isClone = false;

  /** @param firstWord where the letter lies */
  constructor(words: Words, firstWord: number) {
    this.#words = words;
    this.#plain = words.plain;
    this.#first = firstWord;
  }

  /** Looks for the letter of a number, so many times; returns whether it is there. */
  watch(number: number, polls: number): boolean {
    const words = this.#words;
    const first = this.#first;
    // Sync: pairs with LetterWriter.send(): its values are there. It is looked for by its number, as an answer
    // that came through the ring has left an old one here.
    for (let poll = 0; poll < polls; poll++) if (words.load(first) === number) return true;
    return false;
  }

  /** Reads its head: the values follow, one by one. */
  open(): void {
    const head = this.#plain[this.#first + HEAD]!;
    const count = head >>> COUNT_SHIFT & COUNT_MASK;
    this.kind = head & KIND_MASK;
    this.id = this.#plain[this.#first + CALL]! >>> 0;
    this.isClone = count === CLONE;
    this.count = Math.min(count, VALUES_MAX);
    this.#tags = head >>> TAG_SHIFT;
    this.#at = this.#first + FIRST;
  }

  /** @throws {TypeError} when there is none */
  next(): unknown {
    const tag = this.#tags & TAG_MASK;
    this.#tags >>>= 4;
    const at = this.#at;
    switch (tag) {
      case Tag.undefined:
        return undefined;
      case Tag.null:
        return null;
      case Tag.true:
        return true;
      case Tag.false:
        return false;
      case Tag.integer:
        this.#step(1);
        return this.#plain[at]!;
      case Tag.double:
        this.#step(2);
        HALVES[0] = this.#plain[at]!;
        HALVES[1] = this.#plain[at + 1]!;
        return DOUBLE[0]!;
      case Tag.text:
        return this.#text();
    }
    throw new TypeError(`Cannot read a letter as there is no tag ${tag}`);
  }

  /** @throws {TypeError} when there is none */
  nextClone(receiver?: CloneReceiver): unknown {
    const length = this.#length();
    const scratch = this.#scratch;
    for (let [index, at] = [0, this.#at]; index < length; index += 4) {
      const word = this.#plain[at++]!;
      scratch[index] = word;
      scratch[index + 1] = word >> 8;
      scratch[index + 2] = word >> 16;
      scratch[index + 3] = word >> 24;
    }
    return new CloneDecoder(scratch, 0, { lengthBytes: length, receiver }).read().value;
  }

  #text(): string {
    const length = this.#length();
    const at = this.#at;
    this.#step(length + 3 >>> 2);
    let text = "";
    for (let index = 0; index < length; index++) {
      text += CHARS[this.#plain[at + (index >> 2)]! >>> (index & 3) * 8 & 255];
    }
    return text;
  }

  /** Read once: it may be another one at the next look. */
  #length(): number {
    const at = this.#at;
    this.#step(1);
    const length = this.#plain[at]!;
    if (length >= 0 && length <= BYTES_MAX) return length;
    throw new TypeError(`Cannot read a letter as it has no ${length} bytes`);
  }

  #step(words: number): void {
    this.#at += words;
    if (this.#at <= this.#first + LETTER_WORDS) return;
    throw new TypeError("Cannot read a letter as it ends too early");
  }
}

/** The caller's end of the letters: one call at a time is under way, until its answer was read, or came otherwise. */
export class LetterCaller {
  readonly #letter: LetterWriter;
  readonly #reply: LetterReader;
  readonly #bell: Doorbell;
  #number = 0;
  /** The call that went by letter and has no answer; 0: there is none. */
  pendingId = 0;

  /** @param words of the letters there and back; `bell`: wakes who answers */
  constructor(
    words: Words,
    options: { readonly there: number; readonly back: number; readonly bell: Doorbell },
  ) {
    this.#letter = new LetterWriter(words, options.there);
    this.#reply = new LetterReader(words, options.back);
    this.#bell = options.bell;
  }

  /** See {@linkcode LetterWriter.put}. */
  put(kind: number, id: number, values: readonly unknown[]): boolean {
    return this.#letter.put(kind, id, values);
  }

  /** See {@linkcode LetterWriter.putClone}. */
  putClone(kind: number, id: number, message: CloneMessage): boolean {
    return this.#letter.putClone(kind, id, message);
  }

  /** Sends what was put. */
  send(id: number): void {
    this.pendingId = id;
    this.#number = this.#number + 1 | 0;
    this.#letter.send(this.#number);
    this.#bell.ring();
  }

  /** Looks for the answer, so many times. */
  hasReply(polls: number): boolean {
    return this.#reply.watch(this.#number, polls);
  }

  /** The value of the answer that has come. */
  read(receiver: CloneReceiver): unknown {
    this.pendingId = 0;
    const reply = this.#reply;
    reply.open();
    return reply.isClone ? reply.nextClone(receiver) : reply.next();
  }
}
