import { LiveWord } from "./layout_constants.ts";

/** What a live dispatch did. */
export interface LiveReport {
  /** Calls that were answered, each by all lanes that asked. */
  readonly callCount: number;
  /** Calls that were given up at a bound. */
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
