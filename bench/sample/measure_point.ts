import type { Point } from "../../scenarios/axis.ts";
import { type Noise, NoiseMeter, noiseWarnings } from "../machine/noise.ts";
import { type Clock, clockSeconds, takeSamples, type WarmTrial, warmUp } from "./take_samples.ts";
import { PrecisionCriterion, type PrecisionLimits } from "./stopping.ts";
import { checkPoint, checkTrial } from "../../scenarios/check_scenario.ts";
import { Partner } from "../../scenarios/partner/partner.ts";
import { type Control, controlsOf, type Scenario, type Trial } from "../../scenarios/scenario.ts";
import { placeApart } from "../machine/machine.ts";
import type { Measurement, Samples } from "../record/record.ts";
import { type HeapGrowth, heapWarnings, measureCpuTime, measureHeapGrowth } from "./heap_growth.ts";
import { emptyWarnings } from "./empty_calls.ts";
import { openRunQueue } from "../machine/run_queue.ts";
import {
  controlWarnings,
  disposeWarnings,
  preemptedWarnings,
  stallWarnings,
} from "./sample_warnings.ts";

/** How much time and how many samples a point may take. */
export interface PointBudget extends Omit<PrecisionLimits, "secondsMax"> {
  /** For everything that is timed: warm-up, samples, counting of allocations. */
  readonly seconds: number;
  /** The wanted length of a sample. */
  readonly sampleSeconds: number;
  /**
   * Calls in which allocated bytes are counted, for a scenario that says that it allocates nothing;
   * 0 for no counting.
   */
  readonly heapCallsMax: number;
  /** Calls that are timed one by one at most; 0 when absent. */
  readonly singleCallsMax?: number;
}

export interface PointOptions {
  /** A value for each axis of the scenario. */
  readonly point: Point;
  readonly budget: PointBudget;
  /** In place of the clock of the machine. */
  readonly clock?: Clock;
  /** Begins to watch what disturbs the machine; in place of `NoiseMeter.start`. */
  readonly watch?: () => Pick<NoiseMeter, "stop">;
}

/** Share of the time in which the trial and its controls are warmed up. */
const WARM_UP_SHARE = 0.3;
/** Share of the time in which allocated bytes are counted, where they are. */
const HEAP_SHARE = 0.2;
/** Share of the time in which calls are timed one by one, where they are. */
const SINGLE_SHARE = 0.1;
/** Share of the time in which processor time is counted, where it is. */
const CPU_SHARE = 0.3;

/**
 * Measures one point in this isolate, which is the client: prepares the trial and its controls with
 * the same partner, warms them up, and samples them in turn.
 *
 * Give each point a fresh process, as `measureIsolated` does: code that was compiled for one point
 * changes the speed of the next, and a scenario of two threads (`isPair`) leaves the calling thread
 * on one processor.
 *
 * @throws {Error} whatever the scenario throws; when its partner threw, the partner's message
 * @throws {TypeError} when a setup resolves to no trial
 * @throws {RangeError} when calls take no time, or what the scenario says of them cannot be counted with
 */
export async function measurePoint(
  scenario: Scenario,
  options: PointOptions,
): Promise<Measurement> {
  const { point, budget, clock = clockSeconds, watch = NoiseMeter.start } = options;
  checkPoint(scenario, point);
  await using partner = new Partner();
  await using trials = new AsyncDisposableStack();
  try {
    const placement = scenario.isPair ? await placeApart(partner) : undefined;
    const prepared: Prepared[] = [];
    for (const control of [scenario, ...controlsOf(scenario)]) {
      const trial = checkTrial(await control.setup(point, partner), control.name);
      prepared.push({ control, trial: trials.use(trial) });
    }
    const setup = { scenario, point, budget, clock, watch, partner, prepared };
    const measured = await new PointRun(setup).measure();
    const warnings = [...measured.warnings, ...await disposeWarnings(trials)];
    return { ...measured, ...(placement && { placement }), warnings };
  } catch (error) {
    partner.throwIfFailed();
    throw error;
  }
}

/** Everything that the timed part needs. */
interface PointSetup {
  readonly scenario: Scenario;
  readonly point: Point;
  readonly budget: PointBudget;
  readonly clock: Clock;
  readonly watch: () => Pick<NoiseMeter, "stop">;
  readonly partner: Partner;
  /** The trial, then its controls. */
  readonly prepared: readonly Prepared[];
}

/** A trial, with the scenario or the control that it was made from. */
interface Prepared {
  readonly control: Control;
  readonly trial: Trial;
}

/** The timed part of a point. Every step adds its warnings to the same list. */
class PointRun {
  readonly #setup: PointSetup;
  readonly #warnings: string[] = [];

  constructor(setup: PointSetup) {
    this.#setup = setup;
  }

  async measure(): Promise<Measurement> {
    const { scenario, point, budget, clock, watch, prepared } = this.#setup;
    const { trial } = prepared[0]!;
    const { adapter } = trial;
    const heapShare = this.#countsHeap ? HEAP_SHARE : 0;
    const singleShare = this.#singleCallsMax > 0 ? SINGLE_SHARE : 0;
    const cpuShare = scenario.countsCpuTime ? CPU_SHARE : 0;
    const end = clock() + budget.seconds * (1 - heapShare - singleShare - cpuShare);
    const warmTrials = await this.#warmUpAll();
    const criterion = new PrecisionCriterion({ ...budget, secondsMax: end - clock() });
    const meter = watch();
    using queue = openRunQueue();
    const preempted: number[] = [];
    const samples = await takeSamples(warmTrials, {
      ...{ criterion, clock, onPreempted: (sample) => preempted.push(sample) },
      ...(queue && { waitedSeconds: () => queue.waitedSeconds() }),
    });
    const noise = meter.stop();
    const named = {
      ...this.#samplesByName(warmTrials, samples),
      ...(queue && { preempted }),
    };
    this.#warnOfSamples(named, noise);
    for (const [at, { control: { name } }] of prepared.entries()) {
      this.#warnings.push(...await emptyWarnings(samples[at]!, { whose: name }));
    }
    const further = {
      ...await this.#singleCalls(warmTrials[0]!),
      ...await this.#heapGrowth(warmTrials[0]!),
      ...(scenario.bytesPerCall && { bytesPerCall: scenario.bytesPerCall(point) }),
      ...await this.#cpuTime(warmTrials[0]!),
    };
    const found = trial.findings?.();
    this.#warnings.push(...found?.warnings ?? []);
    return {
      ...named,
      ...further,
      stopReason: criterion.reason!,
      noise,
      ...(adapter !== undefined && { adapter }),
      ...(found && { counts: found.counts }),
      warnings: this.#warnings,
    };
  }

  async #warmUpAll(): Promise<WarmTrial[]> {
    const { budget, clock, prepared } = this.#setup;
    const secondsMax = budget.seconds * WARM_UP_SHARE / prepared.length;
    const warmTrials: WarmTrial[] = [];
    for (const { control: { name, sampleSecondsMin = 0 }, trial } of prepared) {
      const sampleSeconds = Math.max(budget.sampleSeconds, sampleSecondsMin);
      const { callsPerSample, batchCount, isSettled } = await warmUp(trial, {
        name,
        sampleSeconds,
        secondsMax,
        clock,
      });
      warmTrials.push({ trial, callsPerSample });
      if (isSettled) continue;
      this.#warnings.push(
        `Perhaps ${name} was not warm: its speed moved for ${batchCount} batches`,
      );
    }
    return warmTrials;
  }

  /** Where calls run side by side, as their long samples tell, a single one is another case. */
  get #singleCallsMax(): number {
    const { scenario: { sampleSecondsMin }, budget: { singleCallsMax = 0 } } = this.#setup;
    return sampleSecondsMin === undefined ? singleCallsMax : 0;
  }

  async #singleCalls({ trial }: WarmTrial): Promise<Pick<Measurement, "singleCalls">> {
    const { budget, clock } = this.#setup;
    const callsMax = this.#singleCallsMax;
    if (callsMax === 0) return {};
    const secondsMax = budget.seconds * SINGLE_SHARE;
    const { timeSingleCalls } = await import("./single_calls.ts"); // with a package: only where needed
    const singleCalls = await timeSingleCalls(trial, { callsMax, secondsMax, clock });
    return singleCalls ? { singleCalls } : {};
  }

  get #countsHeap(): boolean {
    const { scenario, budget } = this.#setup;
    return scenario.isAllocationFree === true && budget.heapCallsMax > 0;
  }

  async #heapGrowth(warmTrial: WarmTrial): Promise<HeapGrowth | undefined> {
    if (!this.#countsHeap) return undefined;
    const { budget, partner, clock } = this.#setup;
    const growth = await measureHeapGrowth(warmTrial, {
      partner,
      callsMax: budget.heapCallsMax,
      secondsMax: budget.seconds * HEAP_SHARE,
      clock,
    });
    this.#warnings.push(...growth ? heapWarnings(growth) : []);
    return growth;
  }

  async #cpuTime(warmTrial: WarmTrial): Promise<Pick<Measurement, "cpuSecondsPerCall">> {
    const { scenario, budget, clock } = this.#setup;
    if (!scenario.countsCpuTime) return {};
    const secondsMax = budget.seconds * CPU_SHARE;
    return { cpuSecondsPerCall: await measureCpuTime(warmTrial, { secondsMax, clock }) };
  }

  #warnOfSamples(
    { latencySeconds, controlSeconds, preempted = [] }: Omit<Measurement, "warnings">,
    noise: Noise,
  ): void {
    this.#warnings.push(...noiseWarnings(noise));
    this.#warnings.push(...preemptedWarnings(preempted.length, latencySeconds.length));
    this.#warnings.push(...stallWarnings(latencySeconds, "The trial"));
    const { isPair = false } = this.#setup.scenario.floor ?? {};
    this.#warnings.push(...controlWarnings(controlSeconds, { isPair }));
  }

  #samplesByName(
    warmTrials: readonly WarmTrial[],
    samples: readonly (readonly number[])[],
  ): Omit<Measurement, "warnings"> {
    const [own, ...others] = warmTrials.map(({ callsPerSample }, index): Samples => ({
      callsPerSample,
      latencySeconds: samples[index]!,
    }));
    const { floor, references = [] } = this.#setup.scenario;
    const ofFloor = floor && others.shift();
    return {
      ...own!,
      ...(ofFloor && { control: floor.name, controlCallsPerSample: ofFloor.callsPerSample }),
      controlSeconds: ofFloor?.latencySeconds ?? [],
      references: Object.fromEntries(references.map(({ name }, at) => [name, others[at]!])),
    };
  }
}
