import type { LaneMask } from "../../memory/lane_mask.ts";
import {
  FUNCTION_OPCODE_FIRST,
  Opcode,
  OPCODE_MAX,
  USER_OPCODE_FIRST,
} from "../../memory/opcode.ts";
import { HEADER_WORDS, OPCODE_FLAGS, PortHeaders } from "../../memory/port_headers.ts";
import { Status } from "../../memory/status.ts";
import type { ChannelLayout } from "../layout.ts";

/** The letters in the high byte of LLVM's opcodes: of its C library, and of its offloading. */
const LIBC_LETTER = 0x63;
const OFFLOAD_LETTER = 0x6f;
/** Of functions by name, which this library adds: "p". */
const FUNCTION_LETTER = 0x70;
/** How many opcodes of each letter are told apart here. */
const LETTER_OPCODES = 256;
/** What stands for an opcode that is nobody's: no service can have it. */
export const NO_OPCODE = OPCODE_MAX + 1;

/**
 * LLVM's opcodes of 32 bits, as those of this library: the user's are the same, LLVM's own are the letter
 * and a byte, such as 0x6302 for its second, its noop is ours, and functions by name have a letter of theirs.
 *
 * @param word as a client wrote it, whatever it wrote
 */
export function opcodeFromLlvm(word: number): number {
  const opcode = word >>> 0;
  if (opcode >= USER_OPCODE_FIRST && opcode <= OPCODE_MAX) return opcode;
  const letter = opcode >>> 24;
  const number = opcode & 0xffffff;
  if (letter === FUNCTION_LETTER) {
    const called = FUNCTION_OPCODE_FIRST + number;
    return called < USER_OPCODE_FIRST && !isOfLlvm(called >>> 8) ? called : NO_OPCODE;
  }
  if (!isOfLlvm(letter) || number >= LETTER_OPCODES) return NO_OPCODE;
  return letter === LIBC_LETTER && number === 0 ? Opcode.noop : letter << 8 | number;
}

/** The other way round. */
export function opcodeToLlvm(opcode: number): number {
  if (opcode === Opcode.noop) return LIBC_LETTER << 24;
  if (isOfLlvm(opcode >>> 8)) return opcode >>> 8 << 24 | opcode & 0xff;
  const isFunction = opcode >= FUNCTION_OPCODE_FIRST && opcode < USER_OPCODE_FIRST;
  return isFunction ? FUNCTION_LETTER << 24 | opcode - FUNCTION_OPCODE_FIRST : opcode;
}

function isOfLlvm(letter: number): boolean {
  return letter === LIBC_LETTER || letter === OFFLOAD_LETTER;
}

/**
 * The headers of a channel in LLVM's memory, which have no room for flags and statuses: a call goes well,
 * as far as its client can tell.
 */
export class LlvmHeaders extends PortHeaders {
  override readonly begin: (index: number, opcode: number, mask: LaneMask) => void;
  override readonly opcodeOf: (opcodeWord: number) => number = opcodeFromLlvm;
  override readonly tellsFaults: boolean = false;

  constructor(plain: Int32Array, layout: { readonly headersWord: number }) {
    super(plain, layout);
    const { headersWord } = layout;
    this.begin = (index, opcode, mask) => {
      const word = headersWord + index * HEADER_WORDS;
      plain[word] = mask.lo;
      plain[word + 1] = mask.hi;
      plain[word + 2] = opcodeToLlvm(opcode & ~OPCODE_FLAGS);
    };
  }

  override markContinued(): void {}

  override setForm(): void {}

  /** Every packet may be in the middle of a call: there is no mark. */
  override continues(): boolean {
    return true;
  }

  override status(): Status {
    return Status.ok;
  }

  override setStatus(): void {}
}

/** The headers of a channel, as its wire has them. */
export function headersOf(plain: Int32Array, layout: ChannelLayout): PortHeaders {
  return layout.wire === "portlab"
    ? new PortHeaders(plain, layout)
    : new LlvmHeaders(plain, layout);
}
