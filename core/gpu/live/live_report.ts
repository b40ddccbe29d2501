import { LiveWord } from "../wgsl/layout_constants.ts";

/** What a live dispatch did. */
export interface LiveReport {
  /** Sessions that went well: answered to all lanes that asked, or cast. */
  readonly callCount: number;
  /** Sessions that a side gave up: at a bound, or as the other side had left it. */
  readonly lostCount: number;
  /** Packets that were read again because their words had not all arrived. */
  readonly retryCount: number;
  /** False when workgroups did not run side by side, or a loop ended early: a result, no error. */
  readonly madeProgress: boolean;
  /** How long the dispatch took by the device's own clock; absent where it has none. */
  readonly dispatchSeconds?: number;
  /** One sentence for a person. */
  readonly detail: string;
}

/** Reads what a live dispatch has counted. */
export function readLiveReport(words: Int32Array): LiveReport {
  const [callCount, lostCount, retryCount] = [LiveWord.calls, LiveWord.lost, LiveWord.retries]
    .map((word) => words[word]! >>> 0) as [number, number, number];
  const madeProgress = lostCount === 0;
  const detail = madeProgress
    ? `${callCount} calls were answered`
    : `No progress on this adapter: ${lostCount} calls were given up, ${callCount} were answered`;
  return { callCount, lostCount, retryCount, madeProgress, detail };
}
