import type { Machine } from "../../../bench/machine/machine.ts";
import { pointName, type RunRecord } from "../../../bench/record/record.ts";
import { machineId } from "../../../bench/record/merge_records.ts";
import { type ChangePoint, changePoints, HISTORY_MIN } from "../../statistics/change_points.ts";
import { isCrowded } from "../../statistics/compare.ts";
import type { Interval } from "../../statistics/interval.ts";
import { type PointSummary, summarize } from "../../statistics/summary.ts";
import { shortNumber } from "../answer.ts";
import { processorsLeftTo } from "../compare_runs.ts";

/** A point in one of the runs of its history. */
export interface HistoryEntry {
  /** The run. */
  readonly runId: string;
  /** When it began: ISO 8601, UTC. */
  readonly startedAt: string;
  /** What was measured. */
  readonly commit: string;
  /** The time of a call in its floor where every run has one, else in seconds. */
  readonly figure: Interval;
  /** Whether other programs left hardly a processor to most of its rounds. */
  readonly isCrowded: boolean;
}

/** How a point moved from run to run, on one machine. */
export interface PointHistory {
  /** The scenario and the id of the point. */
  readonly name: string;
  /** The name of the scenario. */
  readonly scenario: string;
  /** What the machine calls itself. */
  readonly machine: string;
  /** Whether the figures are times the floor; else they are seconds. */
  readonly isRatio: boolean;
  /**
   * By their times; those of one machine with one version of Deno, so that only the code differs, and not
   * those of a crowded one beside others.
   */
  readonly entries: readonly HistoryEntry[];
  /** Where the level changes, by the index of the entry. */
  readonly changes: readonly ChangePoint[];
}

/**
 * How each point moved over runs, each machine by itself.
 *
 * @param runs the records of each run, of one machine
 * @returns the points that {@linkcode HISTORY_MIN} runs or more have, those that changed most first
 */
export function historyOf(runs: readonly (readonly RunRecord[])[]): PointHistory[] {
  const visits = runs.filter(({ length }) => length > 0).flatMap((records) => {
    const rounds = Map.groupBy(records, pointName);
    return summarize(records).map((row) => ({ row, rounds: rounds.get(pointName(row))! }));
  });
  const series = Map.groupBy(
    visits,
    ({ row, rounds }) => `${pointName(row)} ${placeOf(rounds[0]!)}`,
  );
  return changedFirst([...series.values()].map(historyOfPoint));
}

/**
 * What the runs of a point tell. Those of a crowded machine are left out where enough are of one that is not,
 * and the fewer of both else: compilers that come late make other code, which no floor shows.
 */
export function pointHistory(
  { entries: all, ...point }: Omit<PointHistory, "changes">,
): PointHistory {
  const { true: crowded = [], false: usual = [] } = Object.groupBy(
    all,
    (one) => `${one.isCrowded}`,
  );
  const isUsual = usual.length >= Math.min(HISTORY_MIN, crowded.length);
  const entries = isUsual ? usual : crowded;
  return { ...point, entries, changes: changePoints(entries.map(({ figure }) => figure.center)) };
}

/** Those that are long enough to tell something, the one that changed most first. */
export function changedFirst(histories: readonly PointHistory[]): PointHistory[] {
  return histories.filter(({ entries }) => entries.length >= HISTORY_MIN)
    .toSorted((left, right) => mostOf(right) - mostOf(left));
}

/** What a machine is without the code that it ran. */
export function machineName(machine: Machine): string {
  return machineId({ ...machine, commit: "" }).replace(/, $/, "");
}

function placeOf({ machine, adapter = "" }: RunRecord): string {
  return `${machineName(machine)} ${adapter}`;
}

function historyOfPoint(
  visits: readonly { readonly row: PointSummary; readonly rounds: readonly RunRecord[] }[],
): PointHistory {
  const sorted = visits.toSorted((left, right) =>
    left.rounds[0]!.startedAt.localeCompare(right.rounds[0]!.startedAt)
  );
  const [{ row, rounds: [record] }] = sorted as [typeof sorted[number]];
  const isRatio = visits.every(({ row: { ratioToControl, hasFixedFloor } }) =>
    ratioToControl !== undefined && hasFixedFloor
  );
  const entries = sorted.map(({ row, rounds }) => ({
    ...{ runId: rounds[0]!.runId, startedAt: rounds[0]!.startedAt },
    commit: rounds[0]!.machine.commit,
    figure: isRatio ? row.ratioToControl! : row.latencySeconds,
    isCrowded: isCrowded(rounds.map((round) => ({ processorsLeft: processorsLeftTo(round) }))),
  }));
  const machine = machineName(record!.machine);
  return pointHistory({ name: pointName(row), scenario: row.scenario, machine, isRatio, entries });
}

function mostOf({ changes }: PointHistory): number {
  return Math.max(0, ...changes.map(({ ratio }) => Math.abs(Math.log(ratio))));
}

/** Where a point changed, in a sentence for each change; one that says so where it did not. */
export function historyText({ name, entries, changes }: PointHistory): string {
  if (changes.length === 0) return `${name}: no change in ${entries.length} runs`;
  const texts = changes.map(({ at, ratio }) => {
    const { commit, startedAt } = entries[at]!;
    const text = ratio > 1
      ? `${shortNumber(ratio)} times as long`
      : `${shortNumber(1 / ratio)} times faster`;
    return `${text} from commit ${commit.slice(0, 12)} of ${startedAt.slice(0, 10)} on`;
  });
  return `${name}: ${texts.join(", ")}`;
}
