/**
 * The runner: plans a sweep, measures each point in a process of its own, writes records. The command
 * line is `bench/cli/main.ts`.
 *
 * @module
 */
export type { AxisValue, Point } from "../scenarios/axis.ts";
export type { Scenario } from "../scenarios/scenario.ts";
export { bringGpu } from "./adapters/bring_gpu.ts";
export type { SoftwareGpu } from "./adapters/software_gpu.ts";
export { type BenchRecords, benchRecords } from "./deno_bench/bench_records.ts";
export {
  type BenchName,
  convertBenchOutput,
  type Converted,
  type NamedMeasurement,
} from "./deno_bench/deno_bench_json.ts";
export { registerBenches } from "./deno_bench/register_benches.ts";
export { describeMachine, type Machine, machineWarnings } from "./machine/machine.ts";
export type { Noise, NoiseMeter } from "./machine/noise.ts";
export type { Placement } from "./machine/placement.ts";
export { durationText, threeDigits } from "./record/duration_text.ts";
export {
  type Measurement,
  type PointContext,
  READABLE_VERSIONS,
  RECORD_VERSION,
  type RunRecord,
  type Samples,
  type ScenarioFacts,
  type UnmeasuredPoint,
} from "./record/record.ts";
export { type RecordLines, RecordWriter } from "./record/writer.ts";
export type { Clock } from "./sample/batch.ts";
export { measurePoint } from "./sample/measure_point.ts";
export type { PointBudget, PointOptions } from "./sample/point_budget.ts";
export type { SingleCalls } from "./sample/single_calls.ts";
export {
  type PrecisionLimits,
  STOP_RULES,
  type StopReason,
  type StopRule,
} from "./sample/stopping.ts";
export { chooseScenarios, type LoadOptions } from "./sweep/choose_scenarios.ts";
export type { SweepTime } from "./sweep/budget.ts";
export { measureIsolated, type PointRequest } from "./sweep/isolated_point.ts";
export { type PlannedPoint, planSweep, type Shard, type SweepOptions } from "./sweep/plan_sweep.ts";
export {
  type RunContext,
  runSweep,
  type SweepRunOptions,
  type SweepStep,
  visitId,
} from "./sweep/run_sweep.ts";
