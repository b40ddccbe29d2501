/**
 * The runner: sweeps, samples, records. The command line is `main.ts`.
 *
 * @module
 */
export { bringGpu } from "./adapters/bring_gpu.ts";
export type { Clock } from "./sample/batch.ts";
export { convertBenchOutput, type Converted } from "./deno_bench/deno_bench_json.ts";
export { durationText, threeDigits } from "./record/duration_text.ts";
export { measureIsolated, type PointRequest } from "./sweep/isolated_point.ts";
export { describeMachine, type Machine, machineWarnings } from "./machine/machine.ts";
export { measurePoint, type PointBudget } from "./sample/measure_point.ts";
export type { Placement } from "./machine/placement.ts";
export { type Measurement, RECORD_VERSION, type RunRecord, type Samples } from "./record/record.ts";
export { registerBenches } from "./deno_bench/register_benches.ts";
export { type RunContext, runSweep, type SweepStep } from "./sweep/run_sweep.ts";
export {
  PrecisionCriterion,
  type PrecisionLimits,
  type StoppingCriterion,
  type StopReason,
} from "./sample/stopping.ts";
export { type PlannedPoint, planSweep, type SweepOptions } from "./sweep/plan_sweep.ts";
export { recordLine, RecordWriter } from "./record/writer.ts";
