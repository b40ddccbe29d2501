import {
  type FailureRecord,
  type KernelErrorReport,
  readFailure,
  readKernelError,
} from "../wgsl/kernel_error.ts";
import { ReportWord } from "../wgsl/layout_constants.ts";

/** What the device reports of a dispatch, in addition to the protocol. */
export interface DispatchReport {
  /** Whether a wave waits for the host. */
  readonly suspended: boolean;
  /** Whether a wave found no free port. */
  readonly starved: boolean;
  /** Whether a wave used up its turns and could have continued. */
  readonly limited: boolean;
  /** The error of a wave that broke a rule since the device's word was cleared, if any. */
  readonly error: KernelErrorReport | undefined;
  /** How that came about, and where the first refused call since came from, if there is one. */
  readonly failure: FailureRecord | undefined;
  readonly refusal: FailureRecord | undefined;
  /** The first wave that has not finished, if the device was asked for it. */
  readonly firstUnfinished: number | undefined;
  /** How many spares streams have taken in this epoch; more than there are if some found none. */
  readonly takenSpares: number;
  /** No port from this one on was sent; a power of two, or 0. */
  readonly sentBelow: number;
}

/** The report before the first dispatch. */
export const IDLE_REPORT: DispatchReport = {
  suspended: false,
  starved: false,
  limited: false,
  error: undefined,
  failure: undefined,
  refusal: undefined,
  firstUnfinished: undefined,
  takenSpares: 0,
  sentBelow: 0,
};

/** `sentBelow` has one flag for each power of two up to the most ports: 0 to 14. */
const SENT_BELOW_FLAGS = 15;

/** The numbers of dispatches that are submitted together and share a report. */
export interface DispatchNumbers {
  readonly first: number;
  readonly last: number;
  /** Whether the low halves restarted, so that an old `ReportWord.unfinished` would be larger. */
  readonly isWrapped: boolean;
}

/** The numbers before the first dispatch. */
export const NO_DISPATCH: DispatchNumbers = { first: 0, last: 0, isWrapped: false };

/** The next numbers, all with the same high half, and without a low half of 0, which means an empty word. */
export function nextNumbers({ last }: DispatchNumbers, count: number): DispatchNumbers {
  const isWrapped = (last + count) >>> 16 !== last >>> 16;
  const before = isWrapped ? ((last + count) >>> 16) << 16 : last;
  return { first: before + 1, last: before + count, isWrapped };
}

/**
 * Reads the report of dispatches that were submitted together.
 *
 * @param words of a readback buffer, which begins with the report
 */
export function readReport(
  words: Int32Array,
  { first, last: epoch }: DispatchNumbers,
): DispatchReport {
  return {
    suspended: words[ReportWord.suspended] === epoch,
    starved: words[ReportWord.starved] === epoch,
    limited: words[ReportWord.limited] === epoch,
    error: readKernelError(words[ReportWord.error]!, words[ReportWord.badStep]!),
    failure: readFailure(words, ReportWord.failure),
    refusal: readFailure(words, ReportWord.refusal),
    firstUnfinished: firstUnfinished(words[ReportWord.unfinished]!, epoch),
    takenSpares: words[ReportWord.takenSpares]! >>> 0,
    sentBelow: Math.max(sentBelow(words, first), sentBelow(words, epoch)),
  };
}

function sentBelow(words: Int32Array, epoch: number): number {
  for (let flag = SENT_BELOW_FLAGS - 1; flag >= 0; flag--) {
    if (words[ReportWord.sentBelow + flag] === epoch) return 1 << flag;
  }
  return 0;
}

function firstUnfinished(word: number, epoch: number): number | undefined {
  return word >>> 16 === (epoch & 0xffff) ? 0xffff - (word & 0xffff) : undefined;
}
