import { quantile } from "simple-statistics";
import type { RunRecord, Samples } from "../../bench/record/record.ts";

/** The control that is the same two flags at every point of every scenario. */
export const NEAR_CONTROL = "ping_pong";
/** A floor that only the fastest samples reach could be luck; this many cannot. */
const NEAR_QUANTILE = 0.05;
/** Times that floor: what is beyond was sampled while the cores were further apart, or busy. */
const NEAR_RATIO_MAX = 1.5;
/** Fewer samples have no interval worth the name. */
const SAMPLES_MIN = 6;

/** The part of a run that was sampled at one distance of the cores. */
export interface NearFloor {
  /** With those samples only, still in pairs; a point that has too few of them keeps all of its own. */
  readonly records: readonly RunRecord[];
  /** Points that keep all of their samples, each with a warning that says so. */
  readonly wholePointCount: number;
  readonly limitSeconds: number;
  /** How many of the samples are in it, 0 to 1. */
  readonly share: number;
}

/**
 * The samples that were taken while the floor was near. A virtual machine's processors are moved
 * between cores that are near each other and cores that are not, several times the distance,
 * within seconds; neither seconds nor ratios of the two states can be mixed. The choice looks at the
 * floor alone, so that it cannot favour a figure; all samples stay in the records and the table.
 *
 * @returns nothing when no record has that floor
 *
 * @example
 * ```ts
 * import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";
 * import { nearFloor } from "./near_floor.ts";
 * if (nearFloor([sampleRecord])?.share !== 1) throw new Error("its floor stood still");
 * ```
 */
export function nearFloor(records: readonly RunRecord[]): NearFloor | undefined {
  const floors = records.filter(({ control }) => control === NEAR_CONTROL)
    .flatMap(({ controlSeconds }) => controlSeconds);
  if (floors.length === 0) return undefined;
  const limitSeconds = NEAR_RATIO_MAX * quantile(floors, NEAR_QUANTILE);
  const near = records.map((record) =>
    record.control === NEAR_CONTROL ? keepNear(record, limitSeconds) : { record, isWhole: false }
  );
  return {
    records: near.map(({ record }) => record),
    wholePointCount: near.filter(({ isWhole }) => isWhole).length,
    limitSeconds,
    share: floors.filter((seconds) => seconds <= limitSeconds).length / floors.length,
  };
}

/**
 * The record with its near samples. Too few of them have no interval, and a point that vanished from
 * a chart would tell less than one drawn from all samples, with a warning.
 */
function keepNear(
  record: RunRecord,
  limitSeconds: number,
): { readonly record: RunRecord; readonly isWhole: boolean } {
  const isNear = record.controlSeconds.map((seconds) => seconds <= limitSeconds);
  const nearCount = isNear.filter(Boolean).length;
  if (nearCount < SAMPLES_MIN) return { record: withWarning(record, nearCount), isWhole: true };
  const keep = (seconds: readonly number[]) => seconds.filter((_, index) => isNear[index]);
  const references = Object.entries(record.references).map(([name, samples]) =>
    [name, { ...samples, latencySeconds: keep(samples.latencySeconds) }] satisfies [string, Samples]
  );
  const nearRecord = {
    ...record,
    latencySeconds: keep(record.latencySeconds),
    controlSeconds: keep(record.controlSeconds),
    references: Object.fromEntries(references),
  };
  return { record: nearRecord, isWhole: false };
}

function withWarning(record: RunRecord, nearCount: number): RunRecord {
  const warning =
    `Drawn from all samples as ${nearCount} of ${record.controlSeconds.length} were taken while the floor was near`;
  return { ...record, warnings: [...record.warnings, warning] };
}
