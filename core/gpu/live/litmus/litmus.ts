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
import { hostPlay, sameOf } from "./litmus_host.ts";
import {
  INSTANCES,
  LitmusWord,
  placeOf,
  RESULTS_WORD,
  scrambled,
  STRESS_LINES,
  STRESS_WORD,
  STRIDES,
  tarryTurns,
  TURNS,
  X_PRIME,
  X_WORD,
  Y_PRIME,
  Y_WORD,
} from "./litmus_memory.ts";
import { allowedOutcomes, outcomeText, tellsLast } from "./litmus_outcomes.ts";
import { laneCountOf, litmusSource } from "./litmus_source.ts";
import { hasResult, type LitmusSetting, programOf } from "./litmus_table.ts";

/** How a litmus test is run. */
export interface LitmusOptions {
  /** Translates the test's module. */
  readonly translate: WgslToSpirv;
  /** How long the wave may take to come to a start, in seconds; 5 when absent. */
  readonly startTimeoutSeconds?: number;
  /**
   * Waves that play nothing, and stress the memory: they write and read lines, and read those of the test,
   * 0 to 256; none when absent. They need not be resident.
   */
  readonly stressCount?: number;
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

const START_TIMEOUT_SECONDS = 5;
const STRESS_MAX = 256;
const STARTS = INSTANCES / TURNS;
/** How many looks lie between two at what may end a wait. */
const LOOKS = 1024;

/**
 * A litmus test between a wave and this thread: two short programs that run at once on two words, again and
 * again, whose results say in which order each side saw the other's accesses.
 *
 * A round is `INSTANCES` instances in one dispatch, at places that two primes spread over the memory.
 * Both sides start together every few instances, tarry for a random while in the way of each other, and
 * play.
 */
export class Litmus implements Disposable {
  /** How often each outcome was seen up to now, by its text. */
  readonly counts: LitmusCounts;
  readonly #counts = new Map<string, number>();
  readonly #setting: LitmusSetting;
  readonly #laneCount: number;
  readonly #stressCount: number;
  /** Whether waves pause, and go on in another dispatch. */
  readonly #leavesLoops: boolean;
  /** Which of the wave's results are those of a vector. */
  readonly #waveResults: readonly boolean[];
  readonly #hostResultCount: number;
  readonly #hostResults: Int32Array;
  readonly #words: SharedWords;
  readonly #pipeline: LivePipeline;
  readonly #stack: DisposableStack;
  readonly #startSeconds: number;
  #round = 0;
  #stressTurnCount = 0;

  /**
   * Compiles a test.
   *
   * @throws {RangeError} when `stressCount` is out of bounds
   * @throws {DOMException} `NotSupportedError` when the device has no memory that both sides reach
   */
  constructor(device: LiveDevice, setting: LitmusSetting, options: LitmusOptions) {
    const { translate, stressCount = 0, startTimeoutSeconds = START_TIMEOUT_SECONDS } = options;
    checkIntegers("run a litmus test", { stressCount: [stressCount, 0, STRESS_MAX] });
    this.#startSeconds = startTimeoutSeconds;
    this.counts = this.#counts;
    this.#setting = setting;
    this.#stressCount = stressCount;
    this.#waveResults = programOf(setting, "wave").filter(hasResult)
      .map(({ place }) => setting.test.isVector === true && place === "x");
    this.#hostResultCount = programOf(setting, "host").filter(hasResult).length;
    this.#hostResults = new Int32Array(INSTANCES * this.#hostResultCount);
    this.#laneCount = laneCountOf(setting);
    using stack = new DisposableStack();
    const resultWords = INSTANCES * this.#waveResults.length * this.#laneCount;
    const memory = stack.use(sharedBuffer(device, 4 * (RESULTS_WORD + resultWords)));
    this.#words = new SharedWords(memory.words as SharedArrayBuffer);
    const text = litmusSource(setting);
    this.#leavesLoops = leavesLoops(device.info);
    const spirv = translated(this.#leavesLoops ? countingRounds(text) : text, translate);
    const shared = [0, 1].map((binding) => ({ group: 0, binding }));
    const code = setting.order === "relaxed" ? spirv : liveSpirv(spirv, shared);
    this.#pipeline = stack.use(device.createPipeline({ code, groups: [[memory, memory]] }));
    this.#stack = stack.move();
  }

  /** How many turns waves have had up to now that stress the memory: 0 where none was resident beside the other. */
  get stressTurnCount(): number {
    return this.#stressTurnCount;
  }

  /**
   * Plays rounds of 1024 instances. Blocks this thread, which is the host's side.
   *
   * @throws {DOMException} `TimeoutError` when the wave does not come to a start; `NotSupportedError` when
   * the adapter leaves its loops early
   */
  run(roundCount: number): void {
    for (let round = 0; round < roundCount; round++) this.#runRound();
  }

  #runRound(): void {
    const words = this.#words;
    this.#round++;
    // A vector needs all words of its line.
    const stride = this.#laneCount > 1 ? STRIDES.at(-1)! : STRIDES[this.#round % STRIDES.length]!;
    words.plain.fill(0);
    words.plain.fill(this.#setting.test.initial ?? 0, X_WORD, Y_WORD);
    words.store(LitmusWord.stride, stride);
    words.store(LitmusWord.seed, scrambled(this.#round));
    using stack = new DisposableStack();
    let run = this.#dispatch(stack);
    const goOn = () => {
      if (!run.isDone) return;
      const isWhole = words.load(LitmusWord.progress) > STARTS;
      if (isWhole && words.load(LitmusWord.started) === STARTS) return;
      if (isWhole || !this.#leavesLoops) throw cutOffError();
      run = this.#dispatch(stack);
    };
    this.#play(stride, goOn);
    this.#await(STARTS + 1, goOn);
    if (!run.wait(this.#startSeconds)) throw lateError(this.#startSeconds);
    for (let instance = 0; instance < INSTANCES; instance++) {
      const text = this.#outcomeOf(instance, stride);
      this.#counts.set(text, (this.#counts.get(text) ?? 0) + 1);
    }
    this.#stressTurnCount += words.load(LitmusWord.stressTurns);
  }

  /** Plays the host's side: gives the starts, and takes its steps. */
  #play(stride: number, goOn: () => void): void {
    const words = this.#words;
    const play = hostPlay(words, this.#setting, this.#laneCount);
    const seed = ~words.load(LitmusWord.seed);
    const places = { x: 0, y: 0 };
    for (let start = 0; start < STARTS; start++) {
      this.#await(start + 1, goOn);
      words.store(LitmusWord.started, start + 1);
      const random = scrambled(seed - start);
      for (let turn = tarryTurns(random); turn > 0; turn--) {
        words.add(STRESS_WORD + (random + turn) % STRESS_LINES * 16, 1);
      }
      for (let instance = start * TURNS; instance < (start + 1) * TURNS; instance++) {
        places.x = X_WORD + placeOf(instance, X_PRIME) * stride;
        places.y = Y_WORD + placeOf(instance, Y_PRIME) * stride;
        play(places, this.#hostResults, instance * this.#hostResultCount);
      }
    }
  }

  /** Waits until the wave has come so far. */
  #await(progress: number, goOn: () => void): void {
    const endMilliseconds = performance.now() + this.#startSeconds * 1000;
    for (let look = 1; this.#words.load(LitmusWord.progress) < progress; look++) {
      if (look % LOOKS !== 0) continue;
      goOn();
      if (performance.now() > endMilliseconds) throw lateError(this.#startSeconds);
    }
    // It waits at each start, unless its loops were left.
    if (this.#words.load(LitmusWord.progress) > progress) throw cutOffError();
  }

  #dispatch(stack: DisposableStack): LiveRun {
    const stop = () => this.#words.store(LitmusWord.stop, 1);
    const groupCount = [1 + this.#stressCount] as const;
    const turnCount = this.#leavesLoops ? PAUSED_TURNS : 1;
    return stack.use(this.#pipeline.dispatch({ groupCount, turnCount, stop }));
  }

  #outcomeOf(instance: number, stride: number): string {
    const { test, wave } = this.#setting;
    const { plain } = this.#words;
    const first = instance * this.#waveResults.length;
    const waves = this.#waveResults.map((isWide, result) => {
      const at = RESULTS_WORD + (first + result) * this.#laneCount;
      return sameOf(plain.subarray(at, at + (isWide ? this.#laneCount : 1)));
    });
    const at = instance * this.#hostResultCount;
    const host = this.#hostResults.subarray(at, at + this.#hostResultCount);
    const last = plain[X_WORD + placeOf(instance, X_PRIME) * stride]!;
    const results = wave === "first" ? [...waves, ...host] : [...host, ...waves];
    return outcomeText(results, tellsLast(test) ? last : undefined);
  }

  /** Frees the test. */
  [Symbol.dispose](): void {
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

function lateError(seconds: number): DOMException {
  return new DOMException(
    `Cannot go on with a litmus test as its wave has not come to a start for ${seconds} s`,
    "TimeoutError",
  );
}

function cutOffError(): DOMException {
  return new DOMException(
    "Cannot go on with a litmus test as the adapter left the wave's loops early: choose another adapter",
    "NotSupportedError",
  );
}
