import { quantile } from "simple-statistics";
import type { RunRecord, Samples } from "../../bench/record/record.ts";

/** The floor by which samples are chosen: the same two flags at every point that has it. */
export const NEAR_CONTROL = "ping_pong";
/** The near floor is this quantile: the fastest sample alone could be an accident. */
const NEAR_QUANTILE = 0.05;
/** In near floors: samples above it were taken while the cores were further apart, or busy. */
const NEAR_RATIO_MAX = 1.5;
/** Fewer samples than these have no interval of 95 %. */
const SAMPLES_MIN = 6;

/** The part of a run that was sampled while the two cores were near each other. */
export interface NearFloor {
  /** With those samples only, still in pairs; a point that has too few of them keeps all of its own. */
  readonly records: readonly RunRecord[];
  /** Points that keep all of their samples, each with a warning that says so. */
  readonly wholePointCount: number;
  /** A sample is near when its floor took at most this long. */
  readonly limitSeconds: number;
  /** The share of the samples that are near, 0 to 1. */
  readonly share: number;
}

/**
 * The samples that were taken while the two cores were near each other. A virtual machine's
 * processors are moved, within seconds, between cores that are near each other and cores that are
 * several times as far apart; figures of the two states cannot be mixed. The floor tells the states
 * apart. Nothing but the floor is looked at, so that the choice cannot favour a figure. All samples
 * stay in the records and the table.
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
 * The record with its near samples. Where these are too few for an interval, it keeps all of its
 * samples and gets a warning: left out, the point would be missing from the charts.
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
