/**
 * The runner: sweeps, samples, records. The command line is `main.ts`.
 *
 * @module
 */
export { bringGpu } from "./bring_gpu.ts";
export { type Clock, clockSeconds, clockStepSeconds } from "./clock.ts";
export { convertBenchOutput, type Converted } from "./deno_bench_json.ts";
export { durationText, threeDigits } from "./duration_text.ts";
export { measureIsolated, type PointRequest } from "./isolated_point.ts";
export { describeMachine, type Machine, machineDoubts } from "./machine.ts";
export { measurePoint, type PointBudget } from "./measure_point.ts";
export type { Placement } from "./placement.ts";
export { type Measurement, RECORD_VERSION, type RunRecord, type Samples } from "./record.ts";
export { registerBenches } from "./register_benches.ts";
export { type RunContext, runSweep, type SweepStep } from "./run_sweep.ts";
export {
  PrecisionCriterion,
  type PrecisionLimits,
  type StoppingCriterion,
  type StopReason,
} from "./stopping.ts";
export { type PlannedPoint, planSweep, type SweepOptions } from "./sweep.ts";
export { recordLine, RecordWriter } from "./writer.ts";
