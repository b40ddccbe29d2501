import type { LaneMask } from "./lane_mask.ts";
import { Status } from "./status.ts";

/** Words of one header: mask lo, mask hi, opcode with flags, status. */
export const HEADER_WORDS = 4;

/**
 * Set in the opcode word of every packet of a call after the first. By it a server recognizes the middle of
 * a call whose handler has left; without it, the middle would be dispatched as a new request (as in LLVM
 * libc, with an unhandled opcode and several packets).
 */
export const CONTINUES = 1 << 31;

/** Set in the opcode word of a call whose client neither waits for the reply nor reads it. */
export const NO_REPLY = 1 << 30;

/**
 * Set in the opcode word by a client that can read an error of several packets. Without it, as from a wave
 * of a GPU, the error has to fit into the first packet.
 */
export const WHOLE_ERRORS = 1 << 29;

/**
 * What a client sends first, in two bits of the opcode word: a server whose handler expects something
 * else says so, and does not take the first bytes of one for the length of another. `any`: not said, as
 * by a call of one packet, a wave of a GPU, or a port whose packets are filled by hand.
 */
export const Form = { any: 0, message: 1, stream: 2, value: 3 } as const;
/** One of the numbers of {@linkcode Form}. */
export type Form = typeof Form[keyof typeof Form];

const FORM_SHIFT = 27;
const FORM_BITS = 3 << FORM_SHIFT;

/** What is not the opcode in an opcode word. */
export const OPCODE_FLAGS = CONTINUES | NO_REPLY | WHOLE_ERRORS | FORM_BITS;

/** What the client says in an opcode word that it sends. */
export function formOf(opcodeWord: number): Form {
  return (opcodeWord >>> FORM_SHIFT & 3) as Form;
}

/** Where headers are. */
export interface HeaderRegion {
  /** The header of port 0. */
  readonly headersWord: number;
  /** Words from one port's header to the next: those of a header when absent. */
  readonly headerStride?: number;
}

/**
 * The headers of a channel. Only the owner of a port's buffer may access its header. The mailboxes order
 * these accesses, so they are plain.
 *
 * ```text
 * word 0  lane mask, lanes 0 to 31     client
 * word 1  lane mask, lanes 32 to 63    client
 * word 2  opcode and flags             client
 * word 3  status                       server; the client clears it
 * ```
 *
 * A word is written only when it changes. Repeated calls of one opcode then leave the header's cache line
 * shared by both processors, which saves a line transfer each way.
 */
export class PortHeaders {
  readonly #plain: Int32Array;
  readonly #headersWord: number;
  readonly #stride: number;

  /** Writes the header of a new call; `opcode` with its flags. A function over constants: see `clientCall`. */
  readonly begin: (index: number, opcode: number, mask: LaneMask) => void;

  constructor(
    plain: Int32Array,
    { headersWord, headerStride: stride = HEADER_WORDS }: HeaderRegion,
  ) {
    this.#plain = plain;
    this.#headersWord = headersWord;
    this.#stride = stride;
    this.begin = (index, opcode, mask) => {
      const word = headersWord + index * stride;
      const lo = mask.lo | 0;
      const hi = mask.hi | 0;
      if (plain[word] !== lo) plain[word] = lo;
      if (plain[word + 1] !== hi) plain[word + 1] = hi;
      if (plain[word + 2] !== opcode) plain[word + 2] = opcode;
      if (plain[word + 3] !== Status.ok) plain[word + 3] = Status.ok;
    };
  }

  /** What a client wrote as its opcode, with its flags, as this library has it; as it is when absent. */
  readonly opcodeOf?: (opcodeWord: number) => number;
  /** Whether the other side can be told how a call went. */
  readonly tellsFaults: boolean = true;

  /** Marks the next packet as one in the middle of a call. */
  markContinued(index: number): void {
    const word = this.#headersWord + index * this.#stride + 2;
    this.#set(word, this.#plain[word]! | CONTINUES);
  }

  /** Says what the first packet of a call begins. */
  setForm(index: number, form: Form): void {
    const word = this.#headersWord + index * this.#stride + 2;
    this.#set(word, this.#plain[word]! & ~FORM_BITS | form << FORM_SHIFT);
  }

  /** The opcode and its flags, as the client wrote them. */
  opcodeWord(index: number): number {
    const word = this.#plain[this.#headersWord + index * this.#stride + 2]!;
    return this.opcodeOf === undefined ? word : this.opcodeOf(word);
  }

  continues(index: number): boolean {
    return (this.opcodeWord(index) & CONTINUES) !== 0;
  }

  /** The opcode as the client wrote it: beyond `OPCODE_MAX` when the client is broken. */
  opcode(index: number): number {
    return this.opcodeWord(index) & ~OPCODE_FLAGS;
  }

  maskLo(index: number): number {
    return this.#plain[this.#headersWord + index * this.#stride]!;
  }

  maskHi(index: number): number {
    return this.#plain[this.#headersWord + index * this.#stride + 1]!;
  }

  status(index: number): Status {
    return this.#plain[this.#headersWord + index * this.#stride + 3] as Status;
  }

  setStatus(index: number, status: Status): void {
    this.#set(this.#headersWord + index * this.#stride + 3, status);
  }

  #set(word: number, value: number): void {
    if (this.#plain[word] !== value) this.#plain[word] = value;
  }
}
