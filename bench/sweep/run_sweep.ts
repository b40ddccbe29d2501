import { divideBudget } from "./budget.ts";
import { measureIsolated } from "./isolated_point.ts";
import { type Machine, machineWarnings } from "../machine/machine.ts";
import { RECORD_VERSION, type RunRecord } from "../record/record.ts";
import type { PlannedPoint } from "./plan_sweep.ts";

/** What all records of one invocation share. */
export interface RunContext {
  readonly runId: string;
  readonly startedAt: string;
  readonly seed: number;
  readonly machine: Machine;
}

/** What became of one planned point. */
export type SweepStep =
  | { readonly planned: PlannedPoint; readonly record: RunRecord }
  | { readonly planned: PlannedPoint; readonly failure: Error };

/**
 * Measures the planned points one after another, each in a fresh process. A point that fails is a
 * step like any other.
 */
export async function* runSweep(
  plan: readonly PlannedPoint[],
  options: {
    readonly context: RunContext;
    readonly seconds: number;
    readonly isQuick: boolean;
    readonly measure?: typeof measureIsolated;
  },
): AsyncGenerator<SweepStep> {
  const { context, measure = measureIsolated } = options;
  const budgetOf = divideBudget(plan.map(({ scenario }) => scenario), options);
  for (const planned of plan) {
    const { scenario, pointId } = planned;
    try {
      const budget = budgetOf(scenario);
      const measurement = await measure({ scenario: scenario.name, pointId, budget });
      yield { planned, record: recordOf(planned, { context, measurement }) };
    } catch (error) {
      const failure = error instanceof Error ? error : new Error(String(error));
      yield { planned, failure };
    }
  }
}

/** Puts a measurement into its context. */
export function recordOf(
  planned: PlannedPoint,
  options: {
    readonly context: RunContext;
    readonly measurement: Awaited<ReturnType<typeof measureIsolated>>;
  },
): RunRecord {
  const { scenario: { name, question }, point, pointId, round } = planned;
  const { context: { runId, startedAt, seed, machine }, measurement } = options;
  return {
    recordVersion: RECORD_VERSION,
    runId,
    startedAt,
    seed,
    round,
    scenario: name,
    question,
    point,
    pointId,
    ...measurement,
    warnings: [...machineWarnings(machine), ...measurement.warnings],
    machine,
  };
}
