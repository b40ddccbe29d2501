import type { ScheduledWords } from "../explorer/scheduled_words.ts";

/** What a packet holds once its value was taken; finding it means that a packet came twice. */
const CONSUMED = -1;

/** Puts the value behind the last that this side knows into a packet. */
export function giveNext(words: ScheduledWords, dataWord: number, known: number): number {
  words.plain[dataWord] = known + 1;
  return known + 1;
}

/**
 * Takes the value out of a packet. It must be the one behind the last that this side knows; a server
 * knows none, which is 0, when a call begins.
 */
export function takeFollowing(words: ScheduledWords, dataWord: number, known: number): number {
  const held = words.plain[dataWord]!;
  if (held === CONSUMED) words.violate("A packet was received twice");
  if (known !== 0 && held !== known + 1) words.violate(`Lost data: ${held} follows ${known}`);
  words.plain[dataWord] = CONSUMED;
  return held;
}
