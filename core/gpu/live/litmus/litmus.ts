import { SharedWords } from "../../../memory/words.ts";
import { newMemory } from "../../../toggle/channel_handle.ts";
import { checkIntegers } from "../../wgsl/kernel_shape.ts";
import type { LiveBuffer } from "../device/live_buffer.ts";
import type { LiveDevice } from "../device/live_device.ts";
import type { LivePipeline } from "../device/live_pipeline.ts";
import type { LiveRun } from "../device/live_run.ts";
import type { WgslToSpirv } from "../kernel/live_compile.ts";
import { liveSpirv } from "../spirv/live_spirv.ts";
import { hasResult, type LitmusProgram } from "./litmus_cases.ts";
import { hostPlay, hostProgram, sameOf } from "./litmus_host.ts";
import {
  INSTANCES,
  LitmusWord,
  memoryWords,
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
import { allowedOutcomes, type LitmusSetting, outcomeText, tellsLast } from "./litmus_outcomes.ts";
import { laneCountOf, litmusSource, waveProgram } from "./litmus_source.ts";

/** How a litmus test is run. */
export interface LitmusOptions {
  /** Translates the test's module. */
  readonly translate: WgslToSpirv;
  /** How many waves play at once, which must all be resident: 1, 2, 4 and so on to 256; 1 when absent. */
  readonly waveCount?: number;
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

/** How long waves may take to come to a start. */
const START_MILLISECONDS = 5000;
/** How many looks lie between two at the clock. */
const LOOKS = 1024;
const WAVES_MAX = 256;

/**
 * A litmus test between waves and the calling thread: two short programs that run at once on two words,
 * again and again, whose results say in which order each side saw the other's accesses.
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
  readonly #waveCount: number;
  readonly #laneCount: number;
  /** Of each side, which of its results are those of a vector. */
  readonly #results: Readonly<Record<"wave" | "host", readonly boolean[]>>;
  readonly #words: SharedWords;
  readonly #pipeline: LivePipeline;
  readonly #stack: DisposableStack;
  #round = 0;

  /**
   * Compiles a test.
   *
   * @throws {RangeError} when `waveCount` is out of bounds
   * @throws {DOMException} `NotSupportedError` when the device has no memory that both sides reach
   */
  constructor(device: LiveDevice, setting: LitmusSetting, options: LitmusOptions) {
    const { translate, waveCount = 1, dropsBarriers = false } = options;
    checkIntegers("run a litmus test", { waveCount: [waveCount, 1, WAVES_MAX] });
    if (INSTANCES % (TURNS * waveCount) !== 0) {
      throw new RangeError(
        `Cannot run a litmus test as waveCount must be a power of two: current value is ${waveCount}`,
      );
    }
    this.counts = this.#counts;
    this.#setting = setting;
    this.#waveCount = waveCount;
    this.#laneCount = laneCountOf(setting);
    const areWide = (program: LitmusProgram) =>
      program.filter(hasResult)
        .map(({ place }) => setting.test.isVector === true && place === "x");
    this.#results = { wave: areWide(waveProgram(setting)), host: areWide(hostProgram(setting)) };
    using stack = new DisposableStack();
    const bytes = 4 * memoryWords(this.#results.wave.length, this.#laneCount);
    const memory = stack.use(sharedBuffer(device, bytes));
    this.#words = new SharedWords(memory.words as SharedArrayBuffer);
    const translated = translate(litmusSource({ ...setting, waveCount, dropsBarriers }));
    const shared = [0, 1].map((binding) => ({ group: 0, binding }));
    const code = setting.order === "relaxed" ? translated : liveSpirv(translated, shared);
    this.#pipeline = stack.use(device.createPipeline({ code, groups: [[memory, memory]] }));
    this.#stack = stack.move();
  }

  /**
   * Plays rounds of 1024 instances. Blocks this thread, which is the host's side.
   *
   * @throws {DOMException} `TimeoutError` when waves do not come to a start; `NotSupportedError` when
   * the adapter leaves their loops early
   */
  run(roundCount: number): void {
    for (let round = 0; round < roundCount; round++) this.#runRound();
  }

  #runRound(): void {
    const words = this.#words;
    const seed = scrambled(++this.#round);
    // A vector needs all words of its line.
    const stride = this.#laneCount > 1 ? STRIDES.at(-1)! : STRIDES[this.#round % STRIDES.length]!;
    words.plain.fill(0);
    words.plain.fill(this.#setting.test.initial ?? 0, X_WORD, Y_WORD);
    words.store(LitmusWord.stride, stride);
    words.store(LitmusWord.seed, seed);
    const stop = () => words.store(LitmusWord.stop, 1);
    using run = this.#pipeline.dispatch({ groupCount: [this.#waveCount], stop });
    const results = this.#play(run, { seed, stride });
    if (!run.wait(START_MILLISECONDS / 1000)) throw lateError();
    if (words.load(LitmusWord.finished) !== this.#waveCount) throw cutOffError();
    for (let instance = 0; instance < INSTANCES; instance++) {
      const text = this.#outcomeOf(instance, stride, results);
      this.#counts.set(text, (this.#counts.get(text) ?? 0) + 1);
    }
  }

  /** The host's side of a round; returns its results. */
  #play(
    run: LiveRun,
    { seed, stride }: { readonly seed: number; readonly stride: number },
  ): Int32Array {
    const resultCount = this.#results.host.length;
    const results = new Int32Array(INSTANCES * resultCount);
    const play = hostPlay(this.#words, this.#setting, this.#laneCount);
    const perStart = TURNS * this.#waveCount;
    const places = { x: 0, y: 0 };
    for (let first = 0; first < INSTANCES; first += perStart) {
      this.#giveStart(run, first / perStart);
      this.#tarry(scrambled(~seed - first));
      for (let instance = first; instance < first + perStart; instance++) {
        places.x = X_WORD + placeOf(instance, X_PRIME) * stride;
        places.y = Y_WORD + placeOf(instance, Y_PRIME) * stride;
        play(places, results, instance * resultCount);
      }
    }
    return results;
  }

  /** Waits until all waves have come to a start, and gives it. */
  #giveStart(run: LiveRun, start: number): void {
    const words = this.#words;
    const arrived = (start + 1) * this.#waveCount;
    const endMilliseconds = performance.now() + START_MILLISECONDS;
    for (let look = 1; words.load(LitmusWord.arrived) < arrived; look++) {
      if (look % LOOKS > 0) continue;
      if (run.isDone) throw cutOffError();
      if (performance.now() > endMilliseconds) throw lateError();
    }
    words.store(LitmusWord.started, start + 1);
  }

  #tarry(random: number): void {
    const words = this.#words;
    for (let turn = tarryTurns(random); turn > 0; turn--) {
      words.add(STRESS_WORD + (random + turn) % STRESS_LINES * 16, 1);
    }
  }

  #outcomeOf(instance: number, stride: number, hosts: Int32Array): string {
    const { test, wave } = this.#setting;
    const { plain } = this.#words;
    const first = instance * this.#results.wave.length;
    const waves = this.#results.wave.map((isWide, result) => {
      const at = RESULTS_WORD + (first + result) * this.#laneCount;
      return sameOf(plain.subarray(at, at + (isWide ? this.#laneCount : 1)));
    });
    const at = instance * this.#results.host.length;
    const host = hosts.subarray(at, at + this.#results.host.length);
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

function lateError(): DOMException {
  return new DOMException(
    `Cannot go on with a litmus test as its waves have not come to a start for ${
      START_MILLISECONDS / 1000
    } s: are fewer of them resident than there are`,
    "TimeoutError",
  );
}

function cutOffError(): DOMException {
  return new DOMException(
    "Cannot go on with a litmus test as the adapter left the waves' loops early: choose another adapter",
    "NotSupportedError",
  );
}
