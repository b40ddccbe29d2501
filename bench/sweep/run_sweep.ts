import { checkPoint } from "../../scenarios/check_scenario.ts";
import { moduleUrlOf } from "../../scenarios/registry.ts";
import { hasFixedFloor, type Scenario } from "../../scenarios/scenario.ts";
import { Pace, type SweepTime } from "./budget.ts";
import { measureIsolated } from "./isolated_point.ts";
import { type Machine, machineWarnings } from "../machine/machine.ts";
import {
  type PointContext,
  RECORD_VERSION,
  type RunRecord,
  type ScenarioFacts,
  type UnmeasuredPoint,
} from "../record/record.ts";
import type { PointBudget } from "../sample/point_budget.ts";
import type { PlannedPoint } from "./plan_sweep.ts";

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

/**
 * Names a visit of a point: two records with the same one are of the same visit.
 *
 * @example
 * ```ts
 * import { visitId } from "./run_sweep.ts";
 * const id = visitId({ scenario: "round_trip", pointId: "laneCount=1", round: 2 });
 * if (id !== "round_trip laneCount=1 2") throw new Error(id);
 * ```
 */
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
    return { planned, unmeasured: unmeasuredPoint(planned, { context, skipReason: skipReason! }) };
  }
  const moduleUrl = moduleUrlOf(planned.scenario);
  const request = { scenario, pointId, budget, ...(moduleUrl !== undefined && { moduleUrl }) };
  try {
    const measurement = await measure(request, signal ? { signal } : {});
    return { planned, record: recordOf(planned, { context, measurement }) };
  } catch (failure) {
    return { planned, unmeasured: unmeasuredPoint(planned, { context, failure }) };
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
  const { callsPerTurn, targets = [], floor, mainReference } = scenario;
  return {
    callsPerTurn: callsPerTurn?.(point) ?? 1,
    targets,
    hasPairFloor: floor?.isPair === true,
    hasFixedFloor: hasFixedFloor(scenario),
    ...(mainReference !== undefined && { mainReference }),
  };
}

function unmeasuredPoint(
  planned: PlannedPoint,
  why:
    & { readonly context: RunContext }
    & ({ readonly skipReason: string } | {
      readonly failure: unknown;
    }),
): UnmeasuredPoint {
  const ended = "skipReason" in why
    ? { outcome: "skipped" as const, reason: why.skipReason }
    : { outcome: "failed" as const, reason: messageOf(why.failure) };
  return { ...contextOf(planned, why.context), ...ended, machine: why.context.machine };
}

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
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
