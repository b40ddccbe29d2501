import { median, quantile } from "simple-statistics";
import { checkPoolable } from "../../bench/record/merge_records.ts";
import type { PointContext, RunRecord, ScenarioFacts } from "../../bench/record/record.ts";
import {
  emptyHistogram,
  percentilesOf,
  type SingleCalls,
} from "../../bench/sample/single_calls.ts";
import type { Point } from "../../scenarios/axis.ts";
import type { Interval } from "./interval.ts";
import { overRounds } from "./over_rounds.ts";
import { inverse, pairedRatios, scaled } from "./ratio.ts";
import { decodeFromCompressedBase64, encodeIntoCompressedBase64 } from "hdr-histogram-js";

/**
 * One point, over all its rounds: a row of tables and charts. Where a scenario makes several calls in a
 * turn, what is said of a call is a turn's, shared out; single calls are turns.
 */
export interface PointSummary extends ScenarioFacts, Pick<PointContext, "repeatArguments"> {
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
  /** What nine of ten samples took longer than: the median of the rounds. */
  readonly lowSeconds: number;
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
  /** What was seen besides the time, and how often in all rounds; absent where nothing was counted. */
  readonly counts?: Readonly<Record<string, number>>;
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
 * @throws {TypeError} when the records are of more than one run, or those of a point of more than one
 * machine or version
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
  checkPoolable(records, "sum up");
  const byPoint = Map.groupBy(records, ({ scenario, pointId }) => `${scenario} ${pointId}`);
  return [...byPoint.values()].map(summarizePoint);
}

function summarizePoint(rounds: readonly RunRecord[]): PointSummary {
  const first = rounds[0]!;
  const { scenario, question, point, pointId, control, adapter, bytesPerCall } = first;
  const { callsPerTurn, targets, hasPairFloor, hasFixedFloor } = first;
  const { mainReference, compares, titles } = first;
  const latencySeconds = overRounds(rounds.map(secondsPerCall));
  const floored = rounds.filter((round) =>
    round.control === control && round.controlSeconds.length > 0
  );
  const ratioToControl = ratioOverRounds(floored, (round) => round.controlSeconds);
  const heapGrowthBytesPerCall = largestHeapGrowth(rounds);
  return {
    ...{ scenario, question, point, pointId, repeatArguments: first.repeatArguments },
    ...{ callsPerTurn, targets, hasPairFloor, hasFixedFloor },
    ...(mainReference !== undefined && { mainReference }),
    ...(compares !== undefined && { compares }),
    ...(titles !== undefined && { titles }),
    sampleCount: rounds.reduce((sum, round) => sum + round.latencySeconds.length, 0),
    roundCount: rounds.length,
    latencySeconds,
    lowSeconds: median(rounds.map((round) => lowOf(secondsPerCall(round)))),
    callsPerSecond: inverse(latencySeconds),
    ...(control !== undefined && ratioToControl && {
      control,
      controlSeconds: overRounds(floored.map((round) => shared(round, round.controlSeconds))),
      ratioToControl,
    }),
    timesFasterThan: timesFasterThan(rounds),
    ...(heapGrowthBytesPerCall !== undefined && { heapGrowthBytesPerCall }),
    ...countsOf(rounds),
    ...cpuSecondsOf(rounds),
    ...(adapter !== undefined && { adapter }),
    ...(bytesPerCall !== undefined && {
      bytesPerSecond: scaled(inverse(latencySeconds), bytesPerCall / callsPerTurn),
    }),
    ...pooledCalls(rounds),
    warnings: distinctTexts([
      ...rounds.flatMap((round) => round.warnings),
      ...(ratioToControl ?? latencySeconds).warnings,
    ]),
  };
}

/**
 * The samples of a record in seconds a call, where the record has those of a turn: an epoch of 4096
 * waves is 4096 calls.
 */
export function secondsPerCall(record: RunRecord): readonly number[] {
  return shared(record, record.latencySeconds);
}

function shared(
  { callsPerTurn }: RunRecord,
  secondsPerTurn: readonly number[],
): readonly number[] {
  return callsPerTurn === 1
    ? secondsPerTurn
    : secondsPerTurn.map((seconds) => seconds / callsPerTurn);
}

/** A share of the samples that hardly anything disturbed. */
const LOW_SHARE = 0.1;

/** The low quantile of samples, that of a tenth: what a call takes when nothing disturbs it. */
export function lowOf(samples: readonly number[]): number {
  return quantile([...samples], LOW_SHARE);
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

function timesFasterThan(rounds: readonly RunRecord[]): Record<string, Interval> {
  const names = distinctTexts(rounds.flatMap(({ references }) => Object.keys(references)));
  return Object.fromEntries(names.flatMap((name) => {
    const ratio = ratioOverRounds(rounds, (round) => round.references[name]?.latencySeconds ?? []);
    return ratio ? [[name, inverse(ratio)]] : [];
  }));
}

function countsOf(rounds: readonly RunRecord[]): Pick<PointSummary, "counts"> {
  const counts = new Map<string, number>();
  for (const [name, count] of rounds.flatMap((round) => Object.entries(round.counts ?? {}))) {
    counts.set(name, (counts.get(name) ?? 0) + count);
  }
  return counts.size === 0 ? {} : { counts: Object.fromEntries(counts) };
}

function cpuSecondsOf(rounds: readonly RunRecord[]): Pick<PointSummary, "cpuSeconds"> {
  const counted = rounds.flatMap((round) =>
    round.cpuSecondsPerCall?.length ? [shared(round, round.cpuSecondsPerCall)] : []
  );
  return counted.length === 0 ? {} : { cpuSeconds: overRounds(counted) };
}

function largestHeapGrowth(rounds: readonly RunRecord[]): number | undefined {
  const grown = rounds.flatMap((round) =>
    shared(
      round,
      [
        round.heapGrowthBytesPerCall ?? [],
        round.partnerHeapGrowthBytesPerCall ?? [],
      ].flat(),
    )
  );
  return grown.length === 0 ? undefined : Math.max(...grown);
}

function distinctTexts(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}

/**
 * The single calls of all rounds as one distribution: percentiles cannot be averaged, histograms can be
 * added. Nothing where no round has any.
 */
export function pooledCalls(
  rounds: readonly Pick<RunRecord, "singleCalls">[],
): { readonly singleCalls?: SingleCalls } {
  const timed = rounds.flatMap(({ singleCalls }) => singleCalls ?? []);
  if (timed.length < 2) return timed.length === 0 ? {} : { singleCalls: timed[0]! };
  const sum = emptyHistogram();
  for (const { histogram } of timed) sum.add(decodeFromCompressedBase64(histogram));
  return {
    singleCalls: {
      ...percentilesOf(sum),
      clockSeconds: Math.max(...timed.map(({ clockSeconds }) => clockSeconds)),
      histogram: encodeIntoCompressedBase64(sum),
    },
  };
}
