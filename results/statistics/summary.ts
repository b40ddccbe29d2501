import type { RunRecord } from "../../bench/record/record.ts";
import type { SingleCalls } from "../../bench/sample/single_calls.ts";
import type { Point } from "../../scenarios/axis.ts";
import type { Interval } from "./interval.ts";
import { overRounds } from "./over_rounds.ts";
import { pooledCalls } from "./pooled_calls.ts";
import { inverse, pairedRatios } from "./ratio.ts";

/** One point, over all its rounds: a row of tables and charts. */
export interface PointSummary {
  /** The name of the scenario. */
  readonly scenario: string;
  /** What the scenario asks. */
  readonly question: string;
  /** The value of each axis. */
  readonly point: Point;
  /** The text that names the point. */
  readonly pointId: string;
  /** Samples of all rounds. */
  readonly sampleCount: number;
  /** Visits of the point, each in fresh processes. */
  readonly roundCount: number;
  /** Seconds a call. */
  readonly latencySeconds: Interval;
  /** Calls a second: one over the seconds a call. */
  readonly callsPerSecond: Interval;
  /** The name of the floor; absent when the records have none. */
  readonly control?: string;
  /** Seconds a call of the floor; absent when the records have none. */
  readonly controlSeconds?: Interval;
  /** The time of a call in that of the floor, pair by pair; absent when the records have none. */
  readonly ratioToControl?: Interval;
  /** How many times faster than each reference, pair by pair; by the names of the references. */
  readonly timesFasterThan: Readonly<Record<string, Interval>>;
  /**
   * Bytes allocated for each call: the most of the rounds, on the side that allocates more. Absent
   * when it was not counted.
   */
  readonly heapGrowthBytesPerCall?: number;
  /** Processor seconds a call, of both sides together; absent when they were not counted. */
  readonly cpuSeconds?: Interval;
  /** What the GPU adapter calls itself; absent when none was used. */
  readonly adapter?: string;
  /** Bytes of payload a second; absent where the scenario is not about throughput. */
  readonly bytesPerSecond?: Interval;
  /** How long single calls took, of all rounds; absent where none were timed. */
  readonly singleCalls?: SingleCalls;
  /** What makes the figures uncertain, in sentences. */
  readonly warnings: readonly string[];
}

/**
 * Sums up records by point, in the order in which scenarios and points first appear.
 *
 * @param records of one run: figures of different runs or machines must not be pooled
 * @throws {TypeError} when the records are of more than one run
 *
 * @example
 * ```ts
 * import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";
 * import { summarize } from "./summary.ts";
 * const [row] = summarize([sampleRecord]);
 * if (row?.ratioToControl?.center.toFixed(3) !== "2.000") throw new Error("twice the floor");
 * ```
 */
export function summarize(records: readonly RunRecord[]): PointSummary[] {
  const runIds = new Set(records.map(({ runId }) => runId));
  if (runIds.size > 1) {
    throw new TypeError(
      `Cannot sum up the records as they must be of one run: they are of ${[...runIds].join(", ")}`,
    );
  }
  const byPoint = Map.groupBy(records, ({ scenario, pointId }) => `${scenario} ${pointId}`);
  return [...byPoint.values()].map(summarizePoint);
}

function summarizePoint(rounds: readonly RunRecord[]): PointSummary {
  const first = rounds[0]!;
  const { scenario, question, point, pointId, control, adapter } = first;
  const latencySeconds = overRounds(rounds.map((round) => round.latencySeconds));
  const floored = rounds.filter((round) =>
    round.control === control && round.controlSeconds.length > 0
  );
  const ratioToControl = ratioOverRounds(floored, (round) => round.controlSeconds);
  const heapGrowthBytesPerCall = largestHeapGrowth(rounds);
  return {
    scenario,
    question,
    point,
    pointId,
    sampleCount: rounds.reduce((sum, round) => sum + round.latencySeconds.length, 0),
    roundCount: rounds.length,
    latencySeconds,
    callsPerSecond: inverse(latencySeconds),
    ...(control !== undefined && ratioToControl && {
      control,
      controlSeconds: overRounds(floored.map((round) => round.controlSeconds)),
      ratioToControl,
    }),
    timesFasterThan: timesFasterThan(rounds),
    ...(heapGrowthBytesPerCall !== undefined && { heapGrowthBytesPerCall }),
    ...cpuSecondsOf(rounds),
    ...(adapter !== undefined && { adapter }),
    ...(first.bytesPerCall !== undefined && {
      bytesPerSecond: scaled(inverse(latencySeconds), first.bytesPerCall),
    }),
    ...pooledCalls(rounds),
    warnings: distinctTexts([
      ...rounds.flatMap((round) => round.warnings),
      ...(ratioToControl ?? latencySeconds).warnings,
    ]),
  };
}

function ratioOverRounds(
  rounds: readonly RunRecord[],
  denominatorOf: (round: RunRecord) => readonly number[],
): Interval | undefined {
  const ratios = rounds.filter((round) => denominatorOf(round).length > 0).map((round) =>
    pairedRatios(round.latencySeconds, denominatorOf(round))
  );
  return ratios.length === 0 ? undefined : overRounds(ratios);
}

function scaled(interval: Interval, factor: number): Interval {
  const { center, lo, hi } = interval;
  return { ...interval, center: center * factor, lo: lo * factor, hi: hi * factor };
}

function timesFasterThan(rounds: readonly RunRecord[]): Record<string, Interval> {
  const names = distinctTexts(rounds.flatMap(({ references }) => Object.keys(references)));
  return Object.fromEntries(names.flatMap((name) => {
    const ratio = ratioOverRounds(rounds, (round) => round.references[name]?.latencySeconds ?? []);
    return ratio ? [[name, inverse(ratio)]] : [];
  }));
}

function cpuSecondsOf(rounds: readonly RunRecord[]): Pick<PointSummary, "cpuSeconds"> {
  const counted = rounds.flatMap(({ cpuSecondsPerCall }) =>
    cpuSecondsPerCall?.length ? [cpuSecondsPerCall] : []
  );
  return counted.length === 0 ? {} : { cpuSeconds: overRounds(counted) };
}

function largestHeapGrowth(rounds: readonly RunRecord[]): number | undefined {
  const grown = rounds.flatMap((round) => [
    round.heapGrowthBytesPerCall ?? [],
    round.partnerHeapGrowthBytesPerCall ?? [],
  ]).flat();
  return grown.length === 0 ? undefined : Math.max(...grown);
}

function distinctTexts(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}
