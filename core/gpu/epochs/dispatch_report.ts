import { ReportWord } from "../wgsl/layout_constants.ts";

/** What the device says of a dispatch, beside the protocol. */
export interface DispatchReport {
  readonly suspended: boolean;
  readonly starved: boolean;
  readonly limited: boolean;
  /** 0 when no wave broke a rule; else a number of WaveFault, if the kernel did not forge it. */
  readonly faultCode: number;
  readonly faultWave: number;
  /** Ports at or above this one were not given away; a power of two, or 0. */
  readonly sentBelow: number;
}

/** What is known before the first dispatch. */
export const IDLE_REPORT: DispatchReport = {
  suspended: false,
  starved: false,
  limited: false,
  faultCode: 0,
  faultWave: 0,
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
  const isFaulty = words[ReportWord.faulty] === epoch;
  return {
    suspended: words[ReportWord.suspended] === epoch,
    starved: words[ReportWord.starved] === epoch,
    limited: words[ReportWord.limited] === epoch,
    faultCode: isFaulty ? words[ReportWord.faultCode]! : 0,
    faultWave: isFaulty ? words[ReportWord.faultWave]! >>> 0 : 0,
    sentBelow: sentBelow(words, epoch),
  };
}

function sentBelow(words: Int32Array, epoch: number): number {
  for (let flag = SENT_BELOW_FLAGS - 1; flag >= 0; flag--) {
    if (words[ReportWord.sentBelow + flag] === epoch) return 1 << flag;
  }
  return 0;
}
