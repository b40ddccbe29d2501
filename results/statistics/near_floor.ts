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
  /**
   * By point, with those samples only, still in pairs. A round with too few of them is left out; a
   * point that has no other round keeps all of its samples.
   */
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
  const byPoint = Map.groupBy(records, ({ scenario, pointId }) => `${scenario} ${pointId}`);
  const points = [...byPoint.values()].map((rounds) => keepNear(rounds, limitSeconds));
  return {
    records: points.flatMap(({ rounds }) => rounds),
    wholePointCount: points.filter(({ isWhole }) => isWhole).length,
    limitSeconds,
    share: floors.filter((seconds) => seconds <= limitSeconds).length / floors.length,
  };
}

/**
 * The rounds of a point that have enough near samples, with these alone. A point without such a round
 * keeps all of its samples and gets a warning: left out, it would be missing from the charts.
 */
function keepNear(
  rounds: readonly RunRecord[],
  limitSeconds: number,
): { readonly rounds: readonly RunRecord[]; readonly isWhole: boolean } {
  if (rounds[0]!.control !== NEAR_CONTROL) return { rounds, isWhole: false };
  const near = rounds.map((round) => nearPart(round, limitSeconds));
  const enough = near.filter(({ latencySeconds }) => latencySeconds.length >= SAMPLES_MIN);
  if (enough.length > 0) return { rounds: enough, isWhole: false };
  return { rounds: rounds.map((round, index) => withWarning(round, near[index]!)), isWhole: true };
}

function nearPart(round: RunRecord, limitSeconds: number): RunRecord {
  const isNear = round.controlSeconds.map((seconds) => seconds <= limitSeconds);
  const keep = (seconds: readonly number[]) => seconds.filter((_, index) => isNear[index]);
  const references = Object.entries(round.references).map(([name, samples]) =>
    [name, { ...samples, latencySeconds: keep(samples.latencySeconds) }] satisfies [string, Samples]
  );
  return {
    ...round,
    latencySeconds: keep(round.latencySeconds),
    controlSeconds: keep(round.controlSeconds),
    references: Object.fromEntries(references),
  };
}

function withWarning(round: RunRecord, near: RunRecord): RunRecord {
  const [nearCount, count] = [near, round].map(({ controlSeconds }) => controlSeconds.length);
  const warning =
    `Drawn from all samples as ${nearCount} of ${count} were taken while the floor was near`;
  return { ...round, warnings: [...round.warnings, warning] };
}
