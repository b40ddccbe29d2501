import type { Words } from "../../../memory/words.ts";
import { MIXED } from "./litmus_outcomes.ts";
import {
  hasResult,
  type LitmusSetting,
  type LitmusStep,
  programOf,
  valueAfter,
} from "./litmus_table.ts";

/** One step of the host's, at the place of an instance. */
type HostStep = (word: number) => number;

/**
 * The host's side of one instance: takes its steps on the words, and notes the results from `at` on.
 *
 * @param laneCount the words of an `x` that is a vector; 1 otherwise
 */
export function hostPlay(
  words: Words,
  setting: LitmusSetting,
  laneCount: number,
): (places: { readonly x: number; readonly y: number }, results: Int32Array, at: number) => void {
  const { isVector = false } = setting.test;
  const steps = programOf(setting, "host").map((step) => ({
    place: step.place,
    keeps: hasResult(step),
    take: hostStep(words, step, isVector && step.place === "x" ? laneCount : 1),
  }));
  return (places, results, at) => {
    for (const { place, keeps, take } of steps) {
      const seen = take(places[place]);
      if (keeps) results[at++] = seen;
    }
  };
}

function hostStep(words: Words, step: LitmusStep, laneCount: number): HostStep {
  const { kind, value, expected = 0, isPlain = false } = step;
  const { plain } = words;
  if (laneCount > 1) {
    return kind === "read"
      ? (word) => sameOf(plain.subarray(word, word + laneCount))
      : (word) => (plain.fill(value, word, word + laneCount), 0);
  }
  if (isPlain) {
    return kind === "read" ? (word) => plain[word]! : (word) => plain[word] = value;
  }
  switch (kind) {
    // Sync: the other side is a wave; which results may come out is what allowedOutcomes() says.
    case "read":
      return (word) => words.load(word);
    case "write":
      return (word) => (words.store(word, value), 0);
    case "compareExchange":
      return (word) => words.compareExchange(word, expected, value);
    case "max":
    case "min":
      return (word) => updated(words, word, step);
    default:
      return (word) => words[kind](word, value);
  }
}

/** An update that JavaScript does not have. */
function updated(words: Words, word: number, step: LitmusStep): number {
  for (;;) {
    const held = words.load(word);
    if (words.compareExchange(word, held, valueAfter(step, held)) === held) return held;
  }
}

/** What all words hold; {@linkcode MIXED} where they differ. */
export function sameOf(values: ArrayLike<number>): number {
  const first = values[0]!;
  for (let at = 1; at < values.length; at++) if (values[at] !== first) return MIXED;
  return first;
}
