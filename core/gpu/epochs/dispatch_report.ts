import { type KernelErrorReport, readKernelError } from "../wgsl/kernel_error.ts";
import { ReportWord } from "../wgsl/layout_constants.ts";

/** What the device says of a dispatch, beside the protocol. */
export interface DispatchReport {
  /** Some wave waits for the host. */
  readonly suspended: boolean;
  /** Some wave found no free port. */
  readonly starved: boolean;
  /** Some wave used up its turns and could have gone on. */
  readonly limited: boolean;
  /** Of a wave that broke a rule, if one did since the device's word was cleared. */
  readonly error: KernelErrorReport | undefined;
  /** No port at or above this one was sent; a power of two, or 0. */
  readonly sentBelow: number;
}

/** What is known before the first dispatch. */
export const IDLE_REPORT: DispatchReport = {
  suspended: false,
  starved: false,
  limited: false,
  error: undefined,
  sentBelow: 0,
};

/** `sentBelow` has one flag for each power of two up to the most ports: 0 to 14. */
const SENT_BELOW_FLAGS = 15;

/**
 * Reads the report of a dispatch.
 *
 * @param words begins with the report, as it lies in a readback buffer
 */
export function readReport(words: Int32Array, epoch: number): DispatchReport {
  return {
    suspended: words[ReportWord.suspended] === epoch,
    starved: words[ReportWord.starved] === epoch,
    limited: words[ReportWord.limited] === epoch,
    error: readKernelError(words[ReportWord.error]!),
    sentBelow: sentBelow(words, epoch),
  };
}

function sentBelow(words: Int32Array, epoch: number): number {
  for (let flag = SENT_BELOW_FLAGS - 1; flag >= 0; flag--) {
    if (words[ReportWord.sentBelow + flag] === epoch) return 1 << flag;
  }
  return 0;
}
