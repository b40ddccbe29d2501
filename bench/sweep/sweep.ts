import type { Scenario } from "../../scenarios/scenario.ts";
import { describeMachine } from "../machine/machine.ts";
import type { RunRecord, UnmeasuredPoint } from "../record/record.ts";
import { planSweep, type SweepOptions } from "./plan_sweep.ts";
import { runSweep, type SweepRunOptions } from "./run_sweep.ts";

/** What a sweep has measured, whether it came to its end or not. */
export interface SweepResult {
  /** In the order of the visits. */
  readonly records: readonly RunRecord[];
  /** Points without figures, with their reasons. */
  readonly unmeasured: readonly UnmeasuredPoint[];
  /** Whether it was stopped before its end. */
  readonly isStopped: boolean;
}

/**
 * A sweep as a cell of a notebook makes it: plans, measures each point in a process of its own, and
 * returns the records. Who interrupts the cell, or presses Ctrl-C, stops it: the process of the point is
 * ended, what was measured is returned, and the kernel goes on, which would end by that signal otherwise.
 *
 * @param options `seconds` is for all points together; `rounds` is 1 when absent
 * @throws {TypeError} when a scenario cannot be planned
 *
 * @example
 * ```ts
 * import { pingPong } from "../../scenarios/worker/ping_pong.ts";
 * import { sweep } from "./sweep.ts";
 * const { records, unmeasured } = await sweep([pingPong], { seconds: 0.2 });
 * if (records.length !== 1) throw new Error(unmeasured[0]?.reason);
 * ```
 */
export async function sweep(
  scenarios: readonly Scenario[],
  options:
    & Pick<SweepRunOptions, "seconds" | "measure" | "signal">
    & Partial<Pick<SweepOptions, "rounds" | "axisValues">>,
): Promise<SweepResult> {
  const { rounds = 1, axisValues = {}, signal, ...time } = options;
  const stop = new AbortController();
  const listener = () => stop.abort();
  Deno.addSignalListener("SIGINT", listener);
  try {
    const seed = crypto.getRandomValues(new Uint32Array(1))[0]!;
    const startedAt = new Date().toISOString();
    const context = { runId: startedAt, startedAt, seed, machine: await describeMachine() };
    const plan = planSweep(scenarios, { seed, rounds, axisValues });
    const signals = AbortSignal.any([stop.signal, ...signal ? [signal] : []]);
    const steps = await Array.fromAsync(
      runSweep(plan, { ...time, context, isQuick: false, signal: signals }),
    );
    return {
      records: steps.flatMap((step) => "record" in step ? [step.record] : []),
      unmeasured: steps.flatMap((step) => "unmeasured" in step ? [step.unmeasured] : []),
      isStopped: signals.aborted,
    };
  } finally {
    Deno.removeSignalListener("SIGINT", listener);
  }
}
