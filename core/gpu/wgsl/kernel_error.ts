import type { FormatPiece } from "../../text/conversion.ts";
import { formatWriter, LITTLE } from "../../text/format_writer.ts";
import { TextWriter } from "../../text/text_writer.ts";
import type { KernelSource } from "./kernel_source.ts";

/** Rules that a wave can break. The device writes these numbers. */
export const KernelErrorCode = {
  none: 0,
  /** The lanes of an open port made different requests. */
  divergedInPort: 1,
  /** `begin` or a call while the lane's wave had a port open. */
  portAlreadyOpen: 2,
  /** `send`, `recv` or `close` without an open port. */
  noPortOpen: 3,
  /** A lane put more bytes into its stream than it holds. */
  streamFull: 4,
  /** A lane set a word beyond the last of its packet. */
  wordBeyondPacket: 5,
  /** A step made two requests. */
  secondRequest: 6,
  /** A step asked for an opcode beyond 65535. */
  opcodeTooLarge: 7,
  /** A lane used an address that is outside the kernel's heap or not aligned. */
  badAddress: 8,
  /** A lane went to a missing step. */
  noSuchStep: 9,
  /** The condition of an `assert` does not hold. */
  assertionFailed: 10,
} as const;
/** A number of {@linkcode KernelErrorCode}. */
export type KernelErrorCode = typeof KernelErrorCode[keyof typeof KernelErrorCode];

/** The device's unchecked report of a wave that broke a rule. */
export interface KernelErrorReport {
  /** The wave that broke the rule. */
  readonly waveIndex: number;
  /** A number of {@linkcode KernelErrorCode}. */
  readonly code: number;
  /** The step that broke the rule; `undefined` for several steps, or one from 1022 on. */
  readonly step: number | undefined;
  /** The place of that step in the author's text. */
  readonly place?: string;
  /** The missing step that the wave went to, if any; at most 65534. */
  readonly target?: number;
  /** The number of steps. */
  readonly stepCount?: number;
  /** The lane that broke the rule, if it is known. */
  readonly laneIndex?: number;
  /** The chain of calls that led there, from the innermost function on. */
  readonly frames?: readonly KernelFrame[];
  /** What a failed assert says. */
  readonly assertion?: string;
}

/**
 * How a lane tells of a failure, in words from the first of its record on: `wave.wgsl` writes them.
 * How many lanes wanted to tell, of which the first did; the error, or the opcode of a refused call; the lane;
 * and the chain of its steps, each plus 1, up to a 0.
 */
export const FailureWord = { count: 0, error: 1, lane: 2, chain: 3, values: 16 } as const;
/** The most steps of a chain, with the 0 behind it. */
const FAILURE_CHAIN = 13;
/** The number of an assert, and its values. */
export const FAILURE_VALUES = 16;
/** Words of a record, whose last are the values. */
export const FAILURE_WORDS = FailureWord.values + FAILURE_VALUES;

/** The numbers by their names in WGSL. */
export const FAILURE_CONSTANTS = {
  FAILURE_LANE_WORD: FailureWord.lane,
  FAILURE_CHAIN_WORD: FailureWord.chain,
  FAILURE_VALUES_WORD: FailureWord.values,
  FAILURE_CHAIN,
  FAILURE_VALUES,
};

/** A device's unchecked report of a failure. */
export interface FailureRecord {
  /** The error's word, or an opcode. */
  readonly word: number;
  readonly laneIndex: number;
  /** The step that failed, and those behind the calls that led to it. */
  readonly chain: readonly number[];
  readonly values: DataView;
}

/** A function that ran when a kernel failed, and where. */
export interface KernelFrame {
  /** The author's name for it. */
  readonly name: string;
  /** In the author's text, from 1. */
  readonly line: number;
}

/** What the host knows of how a kernel may fail. */
export interface FailureTexts {
  /** For each step, its function, and the line where it begins: behind a call, that of the call. Stubs have none. */
  readonly frames: readonly (KernelFrame | undefined)[];
  readonly asserts: readonly {
    readonly line: number;
    readonly condition: string;
    readonly pieces: readonly FormatPiece[];
  }[];
}

/** Reads a record; `undefined` if there is none. */
export function readFailure(words: Int32Array, firstWord: number): FailureRecord | undefined {
  const record = words.subarray(firstWord, firstWord + FAILURE_WORDS);
  if (!record[FailureWord.count]) return undefined;
  const chain = [...record.subarray(FailureWord.chain, FailureWord.chain + FAILURE_CHAIN)];
  const end = chain.indexOf(0);
  return {
    word: record[FailureWord.error]! >>> 0,
    laneIndex: record[FailureWord.lane]!,
    chain: chain.slice(0, end < 0 ? undefined : end).map((step) => step - 1),
    // A copy, as the memory is the next dispatch's.
    values: new DataView(record.slice(FailureWord.values).buffer),
  };
}

/** The chain of calls of a failure, from the innermost function on. */
export function framesOf(
  { chain }: FailureRecord,
  { frames }: FailureTexts,
): readonly KernelFrame[] {
  return chain.flatMap((step) => frames[step] ?? []);
}

/** The assert that failed, and what it says of its values; `undefined` if there is none of that number. */
export function failedAssert(
  { values }: FailureRecord,
  { asserts }: FailureTexts,
): { readonly line: number; readonly text: string } | undefined {
  const found = asserts[values.getUint32(0, LITTLE)];
  if (!found) return undefined;
  const { line, condition, pieces } = found;
  const writer = new TextWriter(256);
  formatWriter(pieces)(writer, values, 4);
  const text = new TextDecoder().decode(writer.written).trimEnd();
  return { line, text: text ? `${condition}: ${text}` : `${condition} does not hold` };
}

/** The chain as lines of a message, each after a line break; nothing where `kernel` itself has failed. */
export function framesText(frames: readonly KernelFrame[]): string {
  if (frames.length < 2) return "";
  return frames.map(({ name, line }) => `\n    at ${name} (line ${line})`).join("");
}

/**
 * Adds to a report where the error is in the author's text, and how it came to it, as far as that is known.
 *
 * @param failure what the device tells of one error, which is told instead of others
 */
export function placedError(
  error: KernelErrorReport,
  { stepPlaces, failures }: Pick<KernelSource, "stepPlaces" | "failures">,
  failure?: FailureRecord,
): KernelErrorReport {
  const told = failure ? readKernelError(failure.word, 0) ?? error : error;
  const { code, step } = told;
  const place = step === undefined ? undefined : stepPlaces[step];
  const placed = { ...told, stepCount: stepPlaces.length, ...place !== undefined && { place } };
  if (!failure) return placed;
  const { laneIndex } = failure;
  const [innermost, ...callers] = framesOf(failure, failures);
  const assert = code === KernelErrorCode.assertionFailed
    ? failedAssert(failure, failures)
    : undefined;
  const line = assert?.line ?? innermost?.line;
  const frames = innermost ? [{ ...innermost, line: line! }, ...callers] : [];
  return {
    ...placed,
    ...error.target !== undefined && { target: error.target },
    laneIndex,
    frames,
    ...assert && { assertion: assert.text, place: `in line ${line}` },
  };
}

/**
 * The first rule that a wave broke, with its place; `undefined` if none did.
 *
 * @param places where the words are by which a device tells: its error, a missing step, and how that came about
 */
export function brokenRule(
  words: Int32Array,
  { error, badStep, failure }: {
    readonly error: number;
    readonly badStep: number;
    readonly failure?: number;
  },
  source: Pick<KernelSource, "stepPlaces" | "failures">,
): KernelErrorReport | undefined {
  const told = readKernelError(words[error]!, words[badStep]!);
  if (!told) return undefined;
  return placedError(told, source, failure === undefined ? undefined : readFailure(words, failure));
}

/** How a device packs an error into a word: code, step + 1 and wave, from the high bits down. */
export const ErrorWord = {
  codeShift: 26,
  stepShift: 16,
  /** Stands for this step and all later ones. */
  stepMax: 0x3ff,
} as const;

/**
 * Reads the word in which a device reports an error; `undefined` when there is none.
 *
 * @param targetWord a missing step, and in the low half the wave that went to it
 */
export function readKernelError(word: number, targetWord: number): KernelErrorReport | undefined {
  if (word === 0) return undefined;
  const step = (word >>> ErrorWord.stepShift) & ErrorWord.stepMax;
  const waveIndex = word & 0xffff;
  const code = word >>> ErrorWord.codeShift;
  // If several waves failed, the two words may be of different ones.
  const hasTarget = code === KernelErrorCode.noSuchStep && (targetWord & 0xffff) === waveIndex;
  return {
    waveIndex,
    code,
    step: step === 0 || step === ErrorWord.stepMax ? undefined : step - 1,
    ...hasTarget && { target: targetWord >>> 16 },
  };
}

/** A wave broke a rule for kernels; the others have finished. */
export class KernelError extends Error {
  /** The name of the class. */
  override readonly name = "KernelError";
  /** The wave that broke the rule. */
  readonly waveIndex: number;
  /** A number of {@linkcode KernelErrorCode}, unless the kernel has overwritten the report. */
  readonly code: number;
  /** The step that broke the rule; `undefined` for several steps, or one from 1022 on. */
  readonly step: number | undefined;
  /** The lane that broke the rule; `undefined` if that is unknown. */
  readonly laneIndex: number | undefined;
  /** The chain of calls that led there, from the innermost function to `kernel`; empty if it is unknown. */
  readonly frames: readonly KernelFrame[];

  /** Creates the error from the device's report. */
  constructor(report: KernelErrorReport) {
    const { waveIndex, code, step, place, laneIndex, frames = [] } = report;
    const where = step === undefined && place === undefined
      ? ""
      : ` ${place ?? `after step_${step}`}`;
    const reason = code === KernelErrorCode.noSuchStep
      ? noSuchStep(report)
      : code === KernelErrorCode.assertionFailed
      ? `an assertion failed in lane ${laneIndex}: ${report.assertion}`
      : REASONS[code] ?? `of an unknown error ${code}`;
    super(`Cannot finish wave ${waveIndex}${where} as ${reason}${framesText(frames)}`);
    this.waveIndex = waveIndex;
    this.code = code;
    this.step = step;
    this.laneIndex = laneIndex;
    this.frames = frames;
  }
}

function noSuchStep({ target, stepCount }: KernelErrorReport): string {
  const steps = stepCount === undefined ? "" : `: there are ${stepCount}, and the first is 0`;
  const which = target === undefined ? "a step" : `step ${target}`;
  return `it went to ${which}, which is not there${steps}`;
}

const REASONS: Readonly<Record<number, string>> = {
  [KernelErrorCode.divergedInPort]:
    "its lanes asked for different things while they had a port open",
  [KernelErrorCode.portAlreadyOpen]:
    "it asked for a call while it had a port open: close() comes first",
  [KernelErrorCode.noPortOpen]:
    "it asked to send, receive or close without a port: begin() comes first",
  [KernelErrorCode.streamFull]: "a lane used more of its stream than streamBytes allows",
  [KernelErrorCode.wordBeyondPacket]:
    "a lane set a word beyond the last of its packet: give the channel more laneBytes, or a one-dispatch program more wordCount",
  [KernelErrorCode.secondRequest]: "the step made two requests: one goes into the next step",
  [KernelErrorCode.opcodeTooLarge]: "it asked for an opcode beyond 65535",
  [KernelErrorCode.badAddress]:
    "a lane used an address that does not lie in the heap (null, or beyond heapBytes), or is no multiple of 4 where one has to be",
};
