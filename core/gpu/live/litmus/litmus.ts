import { SharedWords } from "../../../memory/words.ts";
import { newMemory } from "../../../toggle/channel_handle.ts";
import { checkIntegers } from "../../wgsl/kernel_shape.ts";
import type { LiveBuffer } from "../device/live_buffer.ts";
import type { LiveDevice } from "../device/live_device.ts";
import type { LivePipeline } from "../device/live_pipeline.ts";
import type { LiveRun } from "../device/live_run.ts";
import { translated, type WgslToSpirv } from "../kernel/live_compile.ts";
import { countingRounds, leavesLoops, PAUSED_TURNS } from "../rounds/round_limit.ts";
import { liveSpirv } from "../spirv/live_spirv.ts";
import { hasResult, type LitmusProgram } from "./litmus_cases.ts";
import { type HostPart, hostProgram, type LitmusThread, playRound, sameOf } from "./litmus_host.ts";
import {
  hostResultsWord,
  INSTANCES,
  LitmusWord,
  NO_ROUND,
  placeOf,
  RESULTS_WORD,
  scrambled,
  STRIDES,
  TURNS,
  X_PRIME,
  X_WORD,
  Y_WORD,
} from "./litmus_memory.ts";
import { allowedOutcomes, type LitmusSetting, outcomeText, tellsLast } from "./litmus_outcomes.ts";
import { laneCountOf, litmusSource, waveProgram } from "./litmus_source.ts";

/** How a litmus test is run. */
export interface LitmusOptions {
  /** Translates the test's module. */
  readonly translate: WgslToSpirv;
  /** How long waves may take to come to a start, in seconds; 5 when absent. */
  readonly startTimeoutSeconds?: number;
  /** How many waves play at once, which must all be resident: 1, 2, 4 and so on to 256; 1 when absent. */
  readonly waveCount?: number;
  /**
   * Waves that play nothing, and stress the memory: they write and read lines, and read those of the test,
   * 0 to 256; none when absent. They need not be resident.
   */
  readonly stressCount?: number;
  /** A mutant of the wave's side; see `LITMUS_MUTANTS`. */
  readonly dropsBarriers?: boolean;
}

/** How often each outcome was seen. */
export type LitmusCounts = ReadonlyMap<string, number>;

/** What was seen, judged. */
export interface LitmusVerdict {
  readonly instanceCount: number;
  /** Runs whose steps came one after the other. */
  readonly interleavedCount: number;
  /** Runs that no sequence of whole steps explains, and the order allows. */
  readonly weakCount: number;
  /** Runs that nothing allows. */
  readonly forbiddenCount: number;
  /** The outcomes of those. */
  readonly forbidden: readonly string[];
}

/** Where nobody says how long waves may take to come to a start. */
const START_TIMEOUT_SECONDS = 5;
/** How often it is looked whether a round goes on. */
const LOOK_MILLISECONDS = 100;
const WAVES_MAX = 256;
const RUN = "run a litmus test";
/** What begins with 0 in each round. */
const ROUND_WORDS = [
  LitmusWord.stop,
  LitmusWord.arrived,
  LitmusWord.started,
  LitmusWord.finished,
  LitmusWord.threadsArrived,
  LitmusWord.threadsFinished,
  LitmusWord.stressTurns,
];

/**
 * A litmus test between waves and threads, the calling one or others: two short programs that run at once
 * on two words, again and again, whose results say in which order each side saw the other's accesses.
 *
 * A round is `INSTANCES` instances in one dispatch, at places that two primes spread over the memory.
 * Both sides start together every few instances, tarry for a random while in the way of each other, and
 * play.
 */
export class Litmus implements Disposable {
  /** How often each outcome was seen up to now, by its text. */
  readonly counts: LitmusCounts;
  readonly #counts = new Map<string, number>();
  readonly #part: HostPart;
  readonly #stressCount: number;
  /** Whether waves pause, and go on in another dispatch. */
  readonly #leavesLoops: boolean;
  /** Of each side, which of its results are those of a vector. */
  readonly #results: Readonly<Record<"wave" | "host", readonly boolean[]>>;
  readonly #words: SharedWords;
  readonly #pipeline: LivePipeline;
  readonly #stack: DisposableStack;
  /** Other threads that play the host's side. */
  readonly #startSeconds: number;
  #otherCount = 0;
  #round = 0;
  #stressTurnCount = 0;

  /**
   * Compiles a test.
   *
   * @throws {RangeError} when `waveCount` is out of bounds
   * @throws {DOMException} `NotSupportedError` when the device has no memory that both sides reach
   */
  constructor(device: LiveDevice, setting: LitmusSetting, options: LitmusOptions) {
    const { translate, waveCount = 1, stressCount = 0, dropsBarriers = false } = options;
    this.#startSeconds = options.startTimeoutSeconds ?? START_TIMEOUT_SECONDS;
    checkIntegers(RUN, {
      waveCount: [waveCount, 1, WAVES_MAX],
      stressCount: [stressCount, 0, WAVES_MAX],
    });
    if (INSTANCES % (TURNS * waveCount) !== 0) {
      throw new RangeError(
        `Cannot ${RUN} as waveCount must be a power of two: current value is ${waveCount}`,
      );
    }
    this.counts = this.#counts;
    this.#stressCount = stressCount;
    const areWide = (program: LitmusProgram) =>
      program.filter(hasResult)
        .map(({ place }) => setting.test.isVector === true && place === "x");
    this.#results = { wave: areWide(waveProgram(setting)), host: areWide(hostProgram(setting)) };
    using stack = new DisposableStack();
    const laneCount = laneCountOf(setting);
    const resultsWord = hostResultsWord(this.#results.wave.length, laneCount);
    this.#part = { setting, waveCount, laneCount, resultsWord, threadCount: 1, thread: 0 };
    const bytes = 4 * (resultsWord + INSTANCES * this.#results.host.length);
    const memory = stack.use(sharedBuffer(device, bytes));
    this.#words = new SharedWords(memory.words as SharedArrayBuffer);
    const text = litmusSource({ ...setting, waveCount, dropsBarriers });
    this.#leavesLoops = leavesLoops(device.info);
    const spirv = translated(this.#leavesLoops ? countingRounds(text) : text, translate);
    const shared = [0, 1].map((binding) => ({ group: 0, binding }));
    const code = setting.order === "relaxed" ? spirv : liveSpirv(spirv, shared);
    this.#pipeline = stack.use(device.createPipeline({ code, groups: [[memory, memory]] }));
    this.#stack = stack.move();
  }

  /** How many turns waves have had up to now that stress the memory: 0 where none was resident beside others. */
  get stressTurnCount(): number {
    return this.#stressTurnCount;
  }

  /**
   * Has other threads play the host's side from now on, each with as many waves: they call `playRounds`.
   *
   * @returns a part for each
   * @throws {TypeError} when others play it already
   * @throws {RangeError} when the count does not divide that of the waves
   * @throws {DOMException} `NotSupportedError` when the device's memory cannot be shared with threads
   */
  handOut(threadCount: number): readonly LitmusThread[] {
    const { waveCount } = this.#part;
    checkIntegers(RUN, { threadCount: [threadCount, 1, waveCount] });
    if (waveCount % threadCount > 0) {
      throw new RangeError(
        `Cannot ${RUN} as threadCount must divide the ${waveCount} waves: current value is ${threadCount}`,
      );
    }
    if (this.#otherCount > 0) throw new TypeError(`Cannot ${RUN} as other threads play it already`);
    const { buffer } = this.#words.plain;
    if (!(buffer instanceof SharedArrayBuffer)) {
      throw new DOMException(
        `Cannot ${RUN} as the device's memory is this thread's: play it here`,
        "NotSupportedError",
      );
    }
    this.#otherCount = threadCount;
    return Array.from({ length: threadCount }, (_, thread) => {
      return { part: { ...this.#part, threadCount, thread }, buffer, round: this.#round };
    });
  }

  /**
   * Plays rounds of 1024 instances. Blocks this thread, which is the host's side, or waits for the others.
   *
   * @throws {DOMException} `TimeoutError` when waves do not come to a start; `NotSupportedError` when
   * the adapter leaves their loops early
   */
  run(roundCount: number): void {
    for (let round = 0; round < roundCount; round++) this.#runRound();
  }

  #runRound(): void {
    const words = this.#words;
    const { waveCount, laneCount } = this.#part;
    this.#round++;
    // A vector needs all words of its line.
    const stride = laneCount > 1 ? STRIDES.at(-1)! : STRIDES[this.#round % STRIDES.length]!;
    words.plain.fill(0, LitmusWord.progress);
    words.plain.fill(this.#part.setting.test.initial ?? 0, X_WORD, Y_WORD);
    for (const word of ROUND_WORDS) words.store(word, 0);
    words.store(LitmusWord.stride, stride);
    words.store(LitmusWord.seed, scrambled(this.#round));
    // Sync: other threads find the words above when they see the round.
    words.store(LitmusWord.round, this.#round);
    words.notify(LitmusWord.round);
    const areWhole = () => words.load(LitmusWord.finished) === waveCount;
    using stack = new DisposableStack();
    let run = this.#dispatch(stack);
    const startCount = INSTANCES / (TURNS * waveCount);
    const goOn = () => {
      if (!run.isDone) return;
      const isWhole = areWhole();
      if (isWhole && words.load(LitmusWord.started) === startCount) return;
      if (isWhole || !this.#leavesLoops) throw cutOffError();
      run = this.#dispatch(stack);
    };
    if (this.#otherCount > 0) this.#awaitOthers(goOn);
    else playRound(words, this.#part, patience(goOn, this.#startSeconds));
    const hasTime = patience(goOn, this.#startSeconds);
    while (!areWhole() && hasTime());
    if (!run.wait(this.#startSeconds)) throw lateError(this.#startSeconds);
    for (let instance = 0; instance < INSTANCES; instance++) {
      const text = this.#outcomeOf(instance, stride);
      this.#counts.set(text, (this.#counts.get(text) ?? 0) + 1);
    }
    this.#stressTurnCount += words.load(LitmusWord.stressTurns);
  }

  #dispatch(stack: DisposableStack): LiveRun {
    const stop = () => this.#words.store(LitmusWord.stop, 1);
    const groupCount = [this.#part.waveCount + this.#stressCount] as const;
    const turnCount = this.#leavesLoops ? PAUSED_TURNS : 1;
    return stack.use(this.#pipeline.dispatch({ groupCount, turnCount, stop }));
  }

  /** Sleeps until other threads have played their parts. */
  #awaitOthers(goOn: () => void): void {
    const words = this.#words;
    let goesOn = patience(goOn, this.#startSeconds);
    for (let [started, finished] = [0, 0]; finished < this.#otherCount;) {
      // Sync: pairs with the add and notify of a thread behind its part.
      words.wait(LitmusWord.threadsFinished, finished, LOOK_MILLISECONDS);
      finished = words.load(LitmusWord.threadsFinished);
      if (words.load(LitmusWord.started) !== started) goesOn = patience(goOn, this.#startSeconds);
      started = words.load(LitmusWord.started);
      goesOn();
    }
  }

  #outcomeOf(instance: number, stride: number): string {
    const { setting: { test, wave }, laneCount, resultsWord } = this.#part;
    const { plain } = this.#words;
    const first = instance * this.#results.wave.length;
    const waves = this.#results.wave.map((isWide, result) => {
      const at = RESULTS_WORD + (first + result) * laneCount;
      return sameOf(plain.subarray(at, at + (isWide ? laneCount : 1)));
    });
    const at = resultsWord + instance * this.#results.host.length;
    const host = plain.subarray(at, at + this.#results.host.length);
    const last = plain[X_WORD + placeOf(instance, X_PRIME) * stride]!;
    const results = wave === "first" ? [...waves, ...host] : [...host, ...waves];
    return outcomeText(results, tellsLast(test) ? last : undefined);
  }

  /** Frees the test; other threads that play it are told that there is no other round. */
  [Symbol.dispose](): void {
    this.#words.store(LitmusWord.stop, 1);
    this.#words.store(LitmusWord.round, NO_ROUND);
    this.#words.notify(LitmusWord.round);
    this.#stack.dispose();
  }
}

/** Holds what was seen against what a setting allows: its own, or for a mutant that of the right test. */
export function judgeLitmus(counts: LitmusCounts, setting: LitmusSetting): LitmusVerdict {
  const allowed = allowedOutcomes(setting);
  const sums = { interleaved: 0, weak: 0, forbidden: 0 };
  const forbidden: string[] = [];
  for (const [results, count] of counts) {
    const kind = allowed.get(results)?.kind ?? "forbidden";
    sums[kind] += count;
    if (kind === "forbidden") forbidden.push(results);
  }
  return {
    instanceCount: sums.interleaved + sums.weak + sums.forbidden,
    interleavedCount: sums.interleaved,
    weakCount: sums.weak,
    forbiddenCount: sums.forbidden,
    forbidden,
  };
}

function sharedBuffer(device: LiveDevice, bytes: number): LiveBuffer {
  if (device.info.importAlignmentBytes === undefined) return device.createBuffer(bytes, "host");
  return device.importBuffer(newMemory(bytes).buffer);
}

/** Has the waves go on, and says again and again that there is time, until there is none. */
function patience(goOn: () => void, seconds: number): () => true {
  const endMilliseconds = performance.now() + seconds * 1000;
  return () => {
    goOn();
    if (performance.now() > endMilliseconds) throw lateError(seconds);
    return true;
  };
}

function lateError(seconds: number): DOMException {
  return new DOMException(
    `Cannot go on with a litmus test as its waves have not come to a start for ${seconds} s: are fewer of them resident than there are`,
    "TimeoutError",
  );
}

function cutOffError(): DOMException {
  return new DOMException(
    "Cannot go on with a litmus test as the adapter left the waves' loops early: choose another adapter",
    "NotSupportedError",
  );
}
