import { median } from "simple-statistics";
import type { Point } from "../../scenarios/axis.ts";
import { Partner } from "../../scenarios/partner/partner.ts";
import type { Control, Scenario, Trial } from "../../scenarios/scenario.ts";
import { type Clock, clockSeconds } from "./clock.ts";
import { controlDoubts, stallDoubts } from "./sample_warnings.ts";
import { heapDoubts, type HeapGrowth, measureHeapGrowth } from "./heap_growth.ts";
import { placeApart } from "../machine/placement.ts";
import type { Measurement, Samples } from "../record/record.ts";
import { type Contestant, takeSamples } from "./take_samples.ts";
import { PrecisionCriterion, type PrecisionLimits } from "./stopping.ts";
import { warmUp } from "./warm_up.ts";

/** How much time and how many samples a point may take. */
export interface PointBudget extends Omit<PrecisionLimits, "secondsMax"> {
  /** For everything that is timed: warm-up, samples, heap. */
  readonly seconds: number;
  /** The wanted length of a sample. */
  readonly sampleSeconds: number;
  /** Calls over which a scenario has to show that it allocates nothing; 0 for none. */
  readonly heapCallsMax: number;
}

const WARM_UP_SHARE = 0.3;
const HEAP_SHARE = 0.2;

/**
 * Measures one point in this isolate, which is the client: prepares the trial and its controls on
 * one partner, warms them up, samples them in turn.
 *
 * @throws {Error} whatever the scenario throws, with the partner's own words when it was the partner
 */
export async function measurePoint(
  scenario: Scenario,
  options: { readonly point: Point; readonly budget: PointBudget; readonly clock?: Clock },
): Promise<Measurement> {
  const { point, budget, clock = clockSeconds } = options;
  await using partner = new Partner();
  await using trials = new AsyncDisposableStack();
  try {
    const placement = scenario.isPair ? await placeApart(partner) : undefined;
    const controls = scenario.controls ?? [];
    const prepared: Prepared[] = [];
    for (const control of [scenario, ...controls]) {
      prepared.push({ control, trial: trials.use(await control.setup(point, partner)) });
    }
    const measured = await new PointRun({ scenario, budget, clock, partner, prepared }).measure();
    return { ...measured, ...(placement && { placement }) };
  } catch (error) {
    partner.assertWell();
    throw error;
  }
}

interface PointGround {
  readonly scenario: Scenario;
  readonly budget: PointBudget;
  readonly clock: Clock;
  readonly partner: Partner;
  /** The trial, then its controls. */
  readonly prepared: readonly Prepared[];
}

/** A trial, and what it was made from. */
interface Prepared {
  readonly control: Control;
  readonly trial: Trial;
}

/** The timed part of a point, in order; collects doubts on its way. */
class PointRun {
  readonly #ground: PointGround;
  readonly #warnings: string[] = [];

  constructor(ground: PointGround) {
    this.#ground = ground;
  }

  async measure(): Promise<Measurement> {
    const { budget, clock } = this.#ground;
    const end = clock() + budget.seconds * (this.#countsHeap ? 1 - HEAP_SHARE : 1);
    const contestants = await this.#warmUpAll();
    const criterion = new PrecisionCriterion({ ...budget, secondsMax: end - clock() });
    const samples = await takeSamples(contestants, { criterion, clock });
    this.#doubtSamples(samples);
    return {
      ...this.#samplesByName(contestants, samples),
      ...await this.#heapGrowth(contestants[0]!),
      stopReason: criterion.reason!,
      ...this.#adapter(),
      warnings: this.#warnings,
    };
  }

  async #warmUpAll(): Promise<Contestant[]> {
    const { budget, clock, prepared } = this.#ground;
    const secondsMax = budget.seconds * WARM_UP_SHARE / prepared.length;
    const contestants: Contestant[] = [];
    for (const { control: { name, sampleSecondsMin = 0 }, trial } of prepared) {
      const sampleSeconds = Math.max(budget.sampleSeconds, sampleSecondsMin);
      const { callsPerSample, batchCount, isSettled } = await warmUp(trial, {
        sampleSeconds,
        secondsMax,
        clock,
      });
      contestants.push({ trial, callsPerSample });
      if (isSettled) continue;
      this.#warnings.push(
        `Perhaps ${name} was not warm: its speed moved for ${batchCount} batches`,
      );
    }
    return contestants;
  }

  #adapter(): Pick<Measurement, "adapter"> {
    const { adapter } = this.#ground.prepared[0]!.trial;
    return adapter === undefined ? {} : { adapter };
  }

  get #countsHeap(): boolean {
    const { scenario, budget } = this.#ground;
    return scenario.isAllocationFree === true && budget.heapCallsMax > 0;
  }

  async #heapGrowth(contestant: Contestant): Promise<HeapGrowth | undefined> {
    if (!this.#countsHeap) return undefined;
    const { budget, partner, clock } = this.#ground;
    const growth = await measureHeapGrowth(contestant, {
      partner,
      callsMax: budget.heapCallsMax,
      secondsMax: budget.seconds * HEAP_SHARE,
      clock,
    });
    this.#warnings.push(...growth ? heapDoubts(growth) : []);
    return growth;
  }

  #doubtSamples([latencySeconds = [], controlSeconds = []]: readonly (readonly number[])[]): void {
    this.#warnings.push(...stallDoubts(latencySeconds, "The trial"));
    const onAdapter = this.#ground.scenario.needsAdapter === true;
    this.#warnings.push(...controlDoubts(controlSeconds, { onAdapter }));
    if (median([...latencySeconds]) > 0) return;
    this.#warnings.push("The clock did not move during a sample");
  }

  #samplesByName(
    contestants: readonly Contestant[],
    samples: readonly (readonly number[])[],
  ): Omit<Measurement, "warnings"> {
    const [own, floor, ...others] = contestants.map(({ callsPerSample }, index): Samples => ({
      callsPerSample,
      latencySeconds: samples[index]!,
    }));
    const [, control, ...references] = this.#ground.prepared.map(({ control }) => control);
    return {
      ...own!,
      ...(floor && { control: control!.name, controlCallsPerSample: floor.callsPerSample }),
      controlSeconds: floor?.latencySeconds ?? [],
      references: Object.fromEntries(references.map(({ name }, at) => [name, others[at]!])),
    };
  }
}
