import type { ChannelLayout } from "../../toggle/layout.ts";
import { withAffixes } from "../wgsl/layout_constants.ts";

/** What a live dispatch counts, in words behind the channel. */
export const LiveWord = {
  /** Sessions that went well on the client's side. */
  calls: 0,
  /** Sessions that a side gave up. */
  lost: 1,
  /** Client workgroups that have ended. */
  finished: 2,
  /** Packets that were read again because their checksum was not right yet. */
  retries: 3,
  /** Workgroups that have begun. */
  started: 4,
} as const;

/** Words that a live dispatch counts in, with some to spare. */
export const LIVE_WORDS = 8;

/** The words as constants of a shader. */
export function liveConstants(layout: ChannelLayout): Record<string, number> {
  return withAffixes(LiveWord, {
    prefix: "LIVE_",
    suffix: "_WORD",
    base: layout.totalBytes / 4,
  });
}

/** What a live dispatch did. */
export interface LiveReport {
  /** Sessions that went well: all lanes that asked were answered, or nobody waited for an answer. */
  readonly callCount: number;
  /** Sessions that a side gave up: at a bound, or because the other side had left it. */
  readonly lostCount: number;
  /** Packets that were read again because their words had not all arrived. */
  readonly retryCount: number;
  /** False when a session was lost, as where workgroups do not run side by side. A result, no error. */
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
