import type { ChannelLayout } from "../../toggle/layout.ts";
import { KernelError, placedError, readKernelError } from "../wgsl/kernel_error.ts";
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
  /** Client workgroups whose loop was left while they had more to ask. */
  cutOff: 5,
  /** No count, but 0 or what a wave did wrong: see `readKernelError`. */
  error: 6,
  /** No count, but the last step that a lane went to and that is not there, and the wave. */
  badStep: 7,
} as const;

/** Words that a live dispatch tells of itself. */
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
  /** Waves of clients that the adapter has stopped before they had asked for everything. */
  readonly cutOffCount: number;
  /**
   * False when a session was lost, as where workgroups do not run side by side, or when a wave was
   * cut off, as where an adapter ends every long loop. A result, no error.
   */
  readonly madeProgress: boolean;
  /** How long the dispatch took by the device's own clock; absent where it has none. */
  readonly dispatchSeconds?: number;
  /** One sentence for a person. */
  readonly detail: string;
}

/**
 * Reads what a live dispatch of so many waves of clients has counted.
 *
 * @param stepPlaces where in the author's text each step of a kernel begins
 * @throws {KernelError} when a wave broke a rule
 */
export function readLiveReport(
  words: Int32Array,
  clientCount: number,
  stepPlaces: readonly string[] = [],
): LiveReport {
  const error = readKernelError(words[LiveWord.error]!, words[LiveWord.badStep]!);
  if (error) throw new KernelError(placedError(error, stepPlaces));
  const count = (name: keyof typeof LiveWord) => words[LiveWord[name]]! >>> 0;
  const [callCount, lostCount, retryCount] = [count("calls"), count("lost"), count("retries")];
  const cutOffCount = count("cutOff") + clientCount - count("finished");
  const troubles = [
    ...(lostCount > 0 ? [`${lostCount} calls were given up`] : []),
    ...(cutOffCount > 0 ? [`${cutOffCount} waves were cut off in the middle of a loop`] : []),
  ];
  const madeProgress = troubles.length === 0;
  const detail = madeProgress
    ? `${callCount} calls were answered`
    : `No progress on this adapter: ${troubles.join(", ")}, ${callCount} calls were answered`;
  return { callCount, lostCount, retryCount, cutOffCount, madeProgress, detail };
}
