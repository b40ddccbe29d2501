import { SHARED_CORE_SECONDS } from "../../bench/sample/sample_warnings.ts";
import { threeDigits } from "../../bench/record/duration_text.ts";
import { gpuTargets } from "./gpu_targets.ts";
import type { Interval } from "../statistics/interval.ts";
import { quotient } from "../statistics/ratio.ts";
import type { PointSummary } from "../statistics/summary.ts";
import { rangeText } from "./table.ts";

/** A figure that this project means to reach. */
export interface Target {
  readonly text: string;
  readonly bound: "at most" | "at least";
  readonly limit: number;
  /** The figure in a run, `undefined` when it was not measured. */
  measure(rows: readonly PointSummary[]): Interval | undefined;
}

/**
 * `undecided`: the limit lies inside the interval. `doubtful`: a floor behind the figure is a
 * scheduler's, so that the figure says nothing of the protocol.
 */
export type TargetVerdict = "reached" | "missed" | "undecided" | "doubtful" | "not measured";

const ONE_CALL = "portCount=1;laneCount=1;waiting=spin+spin";

/** Every figure is a ratio to something sampled beside it: seconds do not travel. */
export const targets: readonly Target[] = [
  {
    text: "one call, 1 port and 1 lane, in bare ping-pongs",
    bound: "at most",
    limit: 1.8,
    measure: (rows) => timesFloor(rows, ONE_CALL),
  },
  {
    text: "4096 ports, in calls of 1 port",
    bound: "at most",
    limit: 1.3,
    measure: (rows) => timesOther(rows, "portCount=4096;laneCount=1;waiting=spin+spin", ONE_CALL),
  },
  {
    text: "64 lanes, in calls of 1 lane",
    bound: "at most",
    limit: 2.5,
    measure: (rows) => timesOther(rows, "portCount=1;laneCount=64;waiting=spin+spin", ONE_CALL),
  },
  {
    text: "one call, times faster than postMessage",
    bound: "at least",
    limit: 150,
    measure: (rows) => rowOf(rows, "round_trip", ONE_CALL)?.timesFasterThan["post_message"],
  },
  {
    text: "calls a second of 8 clients, in those of one",
    bound: "at least",
    limit: 0.5,
    measure: (rows) =>
      rowOf(rows, "many_clients", "clientCount=8;portCount=64;waiting=adaptive")
        ?.timesFasterThan["one_client"],
  },
  {
    text: "a call through typed ports, checks off, in calls through plain ports",
    bound: "at most",
    limit: 1.05,
    measure: (rows) =>
      rowOf(rows, "linear_cost", "side=both;checks=off;laneCount=1")?.ratioToControl,
  },
  {
    text: "bytes allocated a call, on the side that allocates more",
    bound: "at most",
    limit: 1,
    measure: (rows) => largestHeapGrowth(rows),
  },
];

/**
 * Whether a run reached a target, by the interval and not by its centre.
 *
 * @example
 * ```ts
 * import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";
 * import { summarize } from "../statistics/summary.ts";
 * import { targets, verdictOf } from "./target.ts";
 * const [oneCall] = targets;
 * if (verdictOf(oneCall!, summarize([sampleRecord])) !== "missed") throw new Error("2 is over 1.8");
 * ```
 */
export function verdictOf(target: Target, rows: readonly PointSummary[]): TargetVerdict {
  const measured = target.measure(rows);
  if (measured === undefined) return "not measured";
  if (target.measure(rows.filter(hasHardwareFloor)) === undefined) return "doubtful";
  const { lo, hi } = measured;
  const [best, worst] = target.bound === "at most" ? [lo, hi] : [-hi, -lo];
  const limit = target.bound === "at most" ? target.limit : -target.limit;
  return worst <= limit ? "reached" : best > limit ? "missed" : "undecided";
}

/**
 * A line for each target that the run has a figure for.
 *
 * @example
 * ```ts
 * import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";
 * import { summarize } from "../statistics/summary.ts";
 * import { targetsText } from "./target.ts";
 * if (!targetsText(summarize([sampleRecord])).includes("wanted at most 1.8")) throw new Error("1.8");
 * ```
 */
export function targetsText(rows: readonly PointSummary[]): string {
  return [...targets, ...gpuTargets].flatMap((target) => {
    const measured = target.measure(rows);
    if (measured === undefined) return [];
    const figure = `${threeDigits(measured.center)} (${rangeText(measured, threeDigits)})`;
    const wanted = `${target.bound} ${target.limit}`;
    return [`${verdictOf(target, rows).padEnd(9)}  ${target.text}: ${figure}, wanted ${wanted}`];
  }).join("\n");
}

// The floor of a scenario on an adapter is a dispatch, which no core can be blamed for.
function hasHardwareFloor({ adapter, controlSeconds }: PointSummary): boolean {
  return adapter !== undefined || controlSeconds === undefined ||
    controlSeconds.hi <= SHARED_CORE_SECONDS;
}

function rowOf(
  rows: readonly PointSummary[],
  scenario: string,
  pointId: string,
): PointSummary | undefined {
  return rows.find((row) => row.scenario === scenario && row.pointId === pointId);
}

function timesFloor(rows: readonly PointSummary[], pointId: string): Interval | undefined {
  return rowOf(rows, "round_trip", pointId)?.ratioToControl;
}

/**
 * The two points were not measured at the same moment. Compared by seconds, a floor that moved
 * meanwhile would count; compared by floors, what does not move with it. The interval holds both:
 * it is narrow when the floor stood still, and decides nothing when it did not.
 */
function timesOther(
  rows: readonly PointSummary[],
  pointId: string,
  otherId: string,
): Interval | undefined {
  const [row, other] = [rowOf(rows, "round_trip", pointId), rowOf(rows, "round_trip", otherId)];
  if (!row?.ratioToControl || !other?.ratioToControl) return undefined;
  const byFloors = quotient(row.ratioToControl, other.ratioToControl);
  const bySeconds = quotient(row.latencySeconds, other.latencySeconds);
  const lo = Math.min(byFloors.lo, bySeconds.lo);
  const hi = Math.max(byFloors.hi, bySeconds.hi);
  return { ...byFloors, lo, hi };
}

/** Counted over so many calls that chance has no part in it: no interval to either side. */
function largestHeapGrowth(rows: readonly PointSummary[]): Interval | undefined {
  const grown = rows.filter(({ scenario }) => scenario === "round_trip")
    .flatMap(({ heapGrowthBytesPerCall }) => heapGrowthBytesPerCall ?? []);
  if (grown.length === 0) return undefined;
  const center = Math.max(...grown);
  return { center, lo: center, hi: center, confidence: 1, warnings: [] };
}
