import { mean } from "simple-statistics";
import { checkPoint } from "../../scenarios/check_scenario.ts";
import { moduleUrlOf, sourceUrlOf } from "../../scenarios/registry.ts";
import { controlsOf, hasFixedFloor, type Scenario } from "../../scenarios/scenario.ts";
import { measureIsolated } from "./isolated_point.ts";
import { type Machine, machineWarnings } from "../machine/machine.ts";
import {
  type PointContext,
  RECORD_VERSION,
  type RunRecord,
  type ScenarioFacts,
  type UnmeasuredPoint,
} from "../record/record.ts";
import type { PointBudget } from "../sample/measure_point.ts";
import type { PlannedPoint } from "./plan_sweep.ts";
import type { StopRule } from "../sample/stopping.ts";

/** What all records of one invocation share. */
export interface RunContext {
  /** Names the invocation and its files. */
  readonly runId: string;
  /** When it began: ISO 8601, UTC. */
  readonly startedAt: string;
  /** Decides the order of the points. */
  readonly seed: number;
  /** Where and with which code is measured. */
  readonly machine: Machine;
  /** What the sweep was asked for, word by word; absent when a program asked. */
  readonly commandLine?: readonly string[];
  /** What is doubtful about every record from here on; nothing when absent. */
  readonly warnings?: readonly string[];
}

/** Result of one planned point: its record, or why there is none. */
export type SweepStep =
  | { readonly planned: PlannedPoint; readonly record: RunRecord }
  | { readonly planned: PlannedPoint; readonly unmeasured: UnmeasuredPoint };

/** Names a visit of a point: two records with the same one are of the same visit. */
export function visitId(
  { scenario, pointId, round }: Pick<PointContext, "scenario" | "pointId" | "round">,
): string {
  return `${scenario} ${pointId} ${round}`;
}

/** How a sweep is run. */
export interface SweepRunOptions extends SweepTime {
  /** Becomes part of each record. */
  readonly context: RunContext;
  /** Visits that an earlier sweep has made, by {@linkcode visitId}: they are left out. */
  readonly visited?: ReadonlySet<string>;
  /** Ends the sweep, and the process of the point that is measured. */
  readonly signal?: AbortSignal;
  /** Measures a point; `measureIsolated` when absent. */
  readonly measure?: typeof measureIsolated;
}

/**
 * Measures the planned points one after another, each in a fresh process. A point that is skipped or
 * fails gives a step with the reason, and the sweep goes on.
 *
 * @example
 * ```ts
 * import { pingPong } from "../../scenarios/worker/ping_pong.ts";
 * import { describeMachine } from "../machine/machine.ts";
 * import { planSweep } from "./plan_sweep.ts";
 * import { runSweep } from "./run_sweep.ts";
 * const plan = planSweep([pingPong], { seed: 1, rounds: 1 });
 * const startedAt = new Date().toISOString();
 * const context = { runId: "look", startedAt, seed: 1, machine: await describeMachine() };
 * for await (const step of runSweep(plan, { context, seconds: 1, isQuick: true })) {
 *   if ("unmeasured" in step) throw new Error(step.unmeasured.reason);
 *   if (step.record.latencySeconds.length === 0) throw new Error("no samples");
 * }
 * ```
 */
export async function* runSweep(
  plan: readonly PlannedPoint[],
  options: SweepRunOptions,
): AsyncGenerator<SweepStep> {
  const { visited = new Set(), signal } = options;
  const left = plan.filter((one) => !visited.has(visitId({ ...one, scenario: one.scenario.name })));
  const pace = new Pace(measuredOf(plan), { ...options, of: measuredOf(left) });
  for (const planned of left) {
    const isMeasured = planned.skipReason === undefined;
    const budget = isMeasured ? pace.next() : undefined;
    if (signal?.aborted || (isMeasured && budget === undefined)) return; // there is no time left
    const step = await visit(planned, { ...options, budget });
    if (signal?.aborted && "unmeasured" in step) return; // it failed because it was ended
    yield step;
  }
}

function measuredOf(plan: readonly PlannedPoint[]): Scenario[] {
  return plan.filter(({ skipReason }) => skipReason === undefined).map(({ scenario }) => scenario);
}

async function visit(
  planned: PlannedPoint,
  options: SweepRunOptions & { readonly budget: PointBudget | undefined },
): Promise<SweepStep> {
  const { context, budget, signal, measure = measureIsolated } = options;
  const { scenario: { name: scenario }, pointId, skipReason } = planned;
  if (budget === undefined) {
    return unmeasured(planned, context, { outcome: "skipped", reason: skipReason! });
  }
  const moduleUrl = sourceUrlOf(planned.scenario);
  const request = { scenario, pointId, budget, ...(moduleUrl !== undefined && { moduleUrl }) };
  try {
    const measurement = await measure(request, signal ? { signal } : {});
    return { planned, record: recordOf(planned, { context, measurement }) };
  } catch (failure) {
    const reason = failure instanceof Error ? failure.message : String(failure);
    return unmeasured(planned, context, { outcome: "failed", reason });
  }
}

/**
 * The record of a measurement: adds its point and its context, what a reader has to know of the
 * scenario, and warnings about the machine.
 *
 * @throws {RangeError} when what the scenario says of its calls cannot be counted with
 */
export function recordOf(
  planned: PlannedPoint,
  options: {
    readonly context: RunContext;
    readonly measurement: Awaited<ReturnType<typeof measureIsolated>>;
  },
): RunRecord {
  const { context, measurement } = options;
  return {
    ...contextOf(planned, context),
    ...factsOf(planned),
    ...measurement,
    warnings: [
      ...machineWarnings(context.machine),
      ...context.warnings ?? [],
      ...measurement.warnings,
    ],
    machine: context.machine,
  };
}

function factsOf({ scenario, point }: PlannedPoint): ScenarioFacts {
  checkPoint(scenario, point);
  const { callsPerTurn, targets = [], floor, mainReference, compares } = scenario;
  const titled = controlsOf(scenario).filter(({ title }) => title !== undefined);
  return {
    callsPerTurn: callsPerTurn?.(point) ?? 1,
    targets,
    hasPairFloor: floor?.isPair === true,
    hasFixedFloor: hasFixedFloor(scenario),
    ...(mainReference !== undefined && { mainReference }),
    ...(compares !== undefined && { compares }),
    ...(titled.length > 0 && {
      titles: Object.fromEntries(titled.map(({ name, title }) => [name, title!])),
    }),
  };
}

function unmeasured(
  planned: PlannedPoint,
  context: RunContext,
  ended: Pick<UnmeasuredPoint, "outcome" | "reason">,
): SweepStep {
  const { machine } = context;
  return { planned, unmeasured: { ...contextOf(planned, context), ...ended, machine } };
}

/** Without the machine: in a line of a file, what was measured comes before it. */
function contextOf(planned: PlannedPoint, context: RunContext): Omit<PointContext, "machine"> {
  const { scenario, point, pointId, round } = planned;
  const { name, question } = scenario;
  const moduleUrl = moduleUrlOf(scenario);
  const { runId, startedAt, seed, commandLine } = context;
  return {
    recordVersion: RECORD_VERSION,
    runId,
    startedAt,
    seed,
    ...(commandLine && { commandLine }),
    round,
    scenario: name,
    question,
    point,
    pointId,
    ...(moduleUrl !== undefined && { moduleUrl }),
    repeatArguments: [
      "--scenario",
      moduleUrl === undefined ? name : `${moduleUrl}#${name}`,
      ...pointId === "" ? [] : ["--point", pointId],
    ],
  };
}

/**
 * What a visit takes beside its share, until the visits of a sweep have said it: to start its process and
 * Workers, and calls that begin within the share and end after it.
 */
const START_SECONDS = 0.45;
/** The least time for a point, also when there are too many points for the sweep's time. */
const POINT_SECONDS_MIN = 0.1;
/** Time for a point with long samples, in times of another point. */
const LONG_SHARES = 2;

/** Long enough to hide the steps of the clock, short enough that few samples are interrupted. */
const SAMPLE_SECONDS = 0.002;
const SAMPLES_MIN = 30;
/** For scenarios whose samples take many times longer. Twelve still give an interval. */
const LONG_SAMPLES_MIN = 12;
const SAMPLES_MAX = 600;
/** Where the time alone is to end sampling: a record of some hundred kilobytes. */
const SAMPLES_MAX_BY_TIME = 6000;
/** Medians of two runs differ by more than half a percent, so more precision tells nothing. */
const RELATIVE_ERROR_MAX = 0.005;
const HEAP_CALLS = 1_000_000;
/** A hundred of them are the longest of a thousand each. */
const SINGLE_CALLS_MAX = 100_000;

/** For a sweep that only shows whether everything runs. Its figures mean nothing. */
const QUICK: PointBudget = {
  seconds: 0.1,
  sampleSeconds: 0.0005,
  samplesMin: 6,
  samplesMax: 8,
  relativeErrorMax: 0.1,
  heapCallsMax: 0,
  singleCallsMax: 1000,
};

/** How the time of a sweep is to be spent. */
export interface SweepTime {
  /** For the whole sweep; ignored by a quick one. */
  readonly seconds: number;
  /** Whether no visit begins when that time is over, but for the first; also of a quick sweep. */
  readonly isTimeHard?: boolean;
  /** Whether the sweep only has to show that everything runs; its figures mean nothing then. */
  readonly isQuick: boolean;
  /** Which rules may end the sampling of a point early; `precision` when absent. */
  readonly stopRules?: readonly StopRule[];
  /** What counts as precise: the standard error, as a share of the median; 0.005 when absent. */
  readonly relativeErrorMax?: number;
}

/**
 * Divides the time of a sweep among its points.
 *
 * @param scenarios the scenario of each planned point
 * @param sweep `startSeconds` is what a visit takes beside its share
 * @returns a function that gives the budget of each point of a scenario
 */
export function divideBudget(
  scenarios: readonly Scenario[],
  sweep: SweepTime & { readonly startSeconds?: number },
): (scenario: Scenario) => PointBudget {
  if (sweep.isQuick) return () => QUICK;
  const { stopRules = ["precision"], relativeErrorMax = RELATIVE_ERROR_MAX } = sweep;
  const { startSeconds = START_SECONDS } = sweep;
  const endsEarly = stopRules.some((rule) => rule !== "budget");
  const shareCount = scenarios.reduce((sum, scenario) => sum + sharesOf(scenario), 0);
  const secondsToShare = sweep.seconds - startSeconds * scenarios.length;
  return (scenario) => ({
    seconds: Math.max(POINT_SECONDS_MIN, secondsToShare * sharesOf(scenario) / shareCount),
    sampleSeconds: SAMPLE_SECONDS,
    samplesMin: scenario.sampleSecondsMin ? LONG_SAMPLES_MIN : SAMPLES_MIN,
    samplesMax: endsEarly ? SAMPLES_MAX : SAMPLES_MAX_BY_TIME,
    relativeErrorMax,
    stopRules,
    heapCallsMax: HEAP_CALLS,
    singleCallsMax: SINGLE_CALLS_MAX,
  });
}

function sharesOf({ sampleSecondsMin }: Scenario): number {
  return sampleSecondsMin === undefined ? 1 : LONG_SHARES;
}

/**
 * Seconds that the measured points of a sweep take at most, by their scenarios.
 *
 * @param sweep `of` are the scenarios of the points that are still to be measured; of all when absent
 */
export function sweepSecondsOf(
  scenarios: readonly Scenario[],
  sweep: SweepTime & { readonly of?: readonly Scenario[] },
): number {
  const budgetOf = divideBudget(scenarios, sweep);
  const { of: left = scenarios } = sweep;
  return left.reduce((sum, scenario) => sum + budgetOf(scenario).seconds + START_SECONDS, 0);
}

/** Visits that fit into a time that is hard, one at least. */
export function fittingVisits({ seconds }: Pick<SweepTime, "seconds">): number {
  return Math.max(1, Math.floor(seconds / (POINT_SECONDS_MIN + START_SECONDS)));
}

/**
 * The budgets of visits that are made one after another. Where the time is hard, those that come later
 * have what the earlier ones have left, and a visit counts with what the earlier ones took to start.
 */
export class Pace {
  readonly #left: Scenario[];
  readonly #sweep: SweepTime;
  readonly #budgetOf: (scenario: Scenario) => PointBudget;
  readonly #endMilliseconds: number;
  /** What each visit took beside its share. */
  readonly #startSeconds: number[] = [];
  #last: { readonly begin: number; readonly seconds: number } | undefined;

  /**
   * Begins to count the time.
   *
   * @param scenarios those of all points of the sweep
   * @param sweep `of` are those of the visits that are to be made, in their order
   */
  constructor(
    scenarios: readonly Scenario[],
    sweep: SweepTime & { readonly of: readonly Scenario[] },
  ) {
    this.#left = [...sweep.of];
    this.#sweep = sweep;
    this.#budgetOf = divideBudget(scenarios, sweep);
    this.#endMilliseconds = sweep.isTimeHard ? performance.now() + 1000 * sweep.seconds : Infinity;
  }

  /** The budget of the next visit; nothing when there is no time for one. */
  next(): PointBudget | undefined {
    const now = performance.now();
    if (this.#last) {
      this.#startSeconds.push((now - this.#last.begin) / 1000 - this.#last.seconds);
    }
    const startSeconds = this.#expectedStart();
    const left = (this.#endMilliseconds - now) / 1000;
    if (this.#last && left < POINT_SECONDS_MIN + startSeconds) return undefined;
    const [scenario] = this.#left as [Scenario];
    const own = this.#budgetOf(scenario);
    const paced = divideBudget(this.#left, { ...this.#sweep, seconds: left, startSeconds })(
      scenario,
    );
    this.#left.shift();
    const seconds = Math.min(own.seconds, paced.seconds);
    this.#last = { begin: now, seconds };
    return { ...own, seconds };
  }

  /** A visit that was precise early has taken less than its share, which says nothing of a start. */
  #expectedStart(): number {
    const seen = this.#startSeconds.filter((seconds) => seconds > 0);
    return seen.length === 0 ? START_SECONDS : mean(seen);
  }
}
