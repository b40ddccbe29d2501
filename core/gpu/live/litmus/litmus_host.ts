import { SharedWords, type Words } from "../../../memory/words.ts";
import { hasResult, type LitmusProgram, type LitmusStep, valueAfter } from "./litmus_cases.ts";
import {
  INSTANCES,
  LitmusWord,
  NO_ROUND,
  placeOf,
  scrambled,
  STRESS_LINES,
  STRESS_WORD,
  tarryTurns,
  TURNS,
  X_PRIME,
  X_WORD,
  Y_PRIME,
  Y_WORD,
} from "./litmus_memory.ts";
import { type LitmusSetting, MIXED } from "./litmus_outcomes.ts";

/** Which part of a round a thread of the host's plays. */
export interface HostPart {
  readonly setting: LitmusSetting;
  readonly waveCount: number;
  /** The lanes of a wave. */
  readonly laneCount: number;
  /** Where the host's results begin. */
  readonly resultsWord: number;
  /** How many threads share out the instances, as many or fewer than waves. */
  readonly threadCount: number;
  /** Which of them this is; the first gives the starts. */
  readonly thread: number;
}

/** A part of a test for another thread; structured-cloneable. */
export interface LitmusThread {
  readonly part: HostPart;
  readonly buffer: SharedArrayBuffer;
  /** How many rounds there have been. */
  readonly round: number;
}

/** Plays a part of each round, and sleeps in between. Blocks until the test is disposed of. */
export function playRounds({ part, buffer, ...last }: LitmusThread): void {
  const words = new SharedWords(buffer);
  const goesOn = () => words.load(LitmusWord.stop) === 0;
  for (let { round } = last;;) {
    // Sync: pairs with the store and notify by which `Litmus` begins a round, after its words are ready.
    words.wait(LitmusWord.round, round, Infinity);
    round = words.load(LitmusWord.round);
    if (round === NO_ROUND) return;
    playRound(words, part, goesOn);
    // Sync: behind this thread's results, which are read when all have finished.
    words.add(LitmusWord.threadsFinished, 1);
    words.notify(LitmusWord.threadsFinished);
  }
}

/** How many looks lie between two at what may end a wait. */
const LOOKS = 1024;

/**
 * Plays a thread's part of a round.
 *
 * @param goesOn asked now and then while the thread waits for a start: whether to wait on
 */
export function playRound(words: SharedWords, part: HostPart, goesOn: () => boolean): void {
  const { setting, waveCount, laneCount, resultsWord, threadCount, thread } = part;
  const resultCount = hostProgram(setting).filter(hasResult).length;
  const play = hostPlay(words, setting, laneCount);
  const stride = words.load(LitmusWord.stride);
  const seed = ~words.load(LitmusWord.seed);
  const perStart = TURNS * waveCount;
  const places = { x: 0, y: 0 };
  for (let first = 0; first < INSTANCES; first += perStart) {
    if (!awaitStart(words, { part, start: first / perStart }, goesOn)) return;
    tarry(words, scrambled(seed - first - thread));
    for (let instance = first + thread; instance < first + perStart; instance += threadCount) {
      places.x = X_WORD + placeOf(instance, X_PRIME) * stride;
      places.y = Y_WORD + placeOf(instance, Y_PRIME) * stride;
      play(places, words.plain, resultsWord + instance * resultCount);
    }
  }
}

/** Waits until all have come to a start, and gives it in the first thread; returns whether it is given. */
function awaitStart(
  words: SharedWords,
  { part, start }: { readonly part: HostPart; readonly start: number },
  goesOn: () => boolean,
): boolean {
  const { waveCount, threadCount, thread } = part;
  const until = (word: number, count: number) => {
    for (let look = 1; words.load(word) < count; look++) {
      if (look % LOOKS === 0 && !goesOn()) return false;
    }
    return true;
  };
  if (thread > 0) {
    words.add(LitmusWord.threadsArrived, 1);
    return until(LitmusWord.started, start + 1);
  }
  const areHere = until(LitmusWord.arrived, (start + 1) * waveCount) &&
    until(LitmusWord.threadsArrived, (start + 1) * (threadCount - 1));
  if (areHere) words.store(LitmusWord.started, start + 1);
  return areHere;
}

function tarry(words: Words, random: number): void {
  for (let turn = tarryTurns(random); turn > 0; turn--) {
    words.add(STRESS_WORD + (random + turn) % STRESS_LINES * 16, 1);
  }
}

/** One step of the host's, at the place of an instance. */
type HostStep = (word: number) => number;

/** The host's program of a test. */
export function hostProgram({ test, wave }: LitmusSetting): LitmusProgram {
  return test.programs[wave === "first" ? 1 : 0];
}

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
  const steps = hostProgram(setting).map((step) => ({
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
