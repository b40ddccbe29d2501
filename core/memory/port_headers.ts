import type { LaneMask } from "./lane_mask.ts";
import { Status } from "./status.ts";

/** Words of one header: mask lo, mask hi, opcode with flags, status. */
export const HEADER_WORDS = 4;

/**
 * Set in the opcode word of every packet that a client gives away after the first of a call.
 * With it a server can tell the middle of a call whose handler has left from the start of a new
 * one; without it the middle would be dispatched as a request (LLVM libc, unhandled opcode with
 * several packets).
 */
export const CONTINUES = 1 << 31;

/** Set in the opcode word of a call whose client will not read the reply, nor wait for it. */
export const NO_REPLY = 1 << 30;

/**
 * Set in the opcode word by a client that reads a fault in as many packets as it takes. Without it,
 * as from a wave of a GPU, the first packet has to say all.
 */
export const WHOLE_ERRORS = 1 << 29;

/** What is not the opcode in an opcode word. */
export const OPCODE_FLAGS = CONTINUES | NO_REPLY | WHOLE_ERRORS;

/**
 * The headers of a channel. Each may be touched by the owner of its port's buffer only, so the
 * accesses are plain: the mailboxes order them.
 *
 * ```text
 * word 0  lane mask, lanes 0 to 31     client
 * word 1  lane mask, lanes 32 to 63    client
 * word 2  opcode and flags             client
 * word 3  status                       server; the client clears it
 * ```
 *
 * A word is written only when it changes: repeated calls of one opcode leave the header's cache
 * line shared by both processors, which saves a line transfer each way.
 */
export class PortHeaders {
  readonly #plain: Int32Array;
  readonly #headersWord: number;

  constructor(plain: Int32Array, layout: { readonly headersWord: number }) {
    this.#plain = plain;
    this.#headersWord = layout.headersWord;
  }

  /** Writes the header of a new call; `opcode` with its flags. */
  begin(index: number, opcode: number, mask: LaneMask): void {
    const word = this.#headersWord + index * HEADER_WORDS;
    const plain = this.#plain;
    const lo = mask.lo | 0;
    const hi = mask.hi | 0;
    const isSame = plain[word] === lo && plain[word + 1] === hi && plain[word + 2] === opcode &&
      plain[word + 3] === Status.ok;
    if (!isSame) this.#rewrite(word, [lo, hi, opcode, Status.ok]);
  }

  #rewrite(word: number, values: readonly number[]): void {
    values.forEach((value, offset) => this.#set(word + offset, value));
  }

  /** Marks the next packet as one in the middle of a call. */
  markContinued(index: number): void {
    const word = this.#headersWord + index * HEADER_WORDS + 2;
    this.#set(word, this.#plain[word]! | CONTINUES);
  }

  /** The opcode and its flags, as the client wrote them. */
  opcodeWord(index: number): number {
    return this.#plain[this.#headersWord + index * HEADER_WORDS + 2]!;
  }

  continues(index: number): boolean {
    return (this.opcodeWord(index) & CONTINUES) !== 0;
  }

  /** The opcode as the client wrote it: beyond `OPCODE_MAX` when the client is broken. */
  opcode(index: number): number {
    return this.opcodeWord(index) & ~OPCODE_FLAGS;
  }

  maskLo(index: number): number {
    return this.#plain[this.#headersWord + index * HEADER_WORDS]!;
  }

  maskHi(index: number): number {
    return this.#plain[this.#headersWord + index * HEADER_WORDS + 1]!;
  }

  status(index: number): number {
    return this.#plain[this.#headersWord + index * HEADER_WORDS + 3]!;
  }

  setStatus(index: number, status: Status): void {
    this.#set(this.#headersWord + index * HEADER_WORDS + 3, status);
  }

  #set(word: number, value: number): void {
    if (this.#plain[word] !== value) this.#plain[word] = value;
  }
}
