import type { Machine } from "../machine/machine.ts";
import { visitId } from "../sweep/run_sweep.ts";
import { pointName, type RunRecord, type UnmeasuredPoint } from "./record.ts";

type Line = RunRecord | UnmeasuredPoint;

/** What becomes of two different records of one visit. */
export const DUPLICATE_RULES = ["refuse", "pool"] as const;

/**
 * `refuse`: the files are of different runs, or one was copied and went on, and a person has to look.
 * `pool`: each counts as one more visit of the point.
 */
export type DuplicateRule = typeof DUPLICATE_RULES[number];

export interface MergeOptions {
  /** What becomes of two records of one visit that differ. */
  readonly duplicates: DuplicateRule;
  /** Names the run that the lines become; their own when absent, which must be the same then. */
  readonly runId?: string;
}

/** Merged lines, and what was found meanwhile. */
export interface Merged {
  /** In the order of scenarios, points and rounds, whatever the order of the files was. */
  readonly lines: readonly Line[];
  /** Lines that were there twice, word by word, and are there once. */
  readonly repeatedCount: number;
  /** Lines of visits that failed once and were measured elsewhere: dropped. */
  readonly retriedCount: number;
  /** Machines that the lines are of, each with how many lines. */
  readonly machines: readonly {
    readonly machine: Machine;
    readonly lineCount: number;
  }[];
}

/**
 * Joins the lines of several files, such as the shards of one sweep, into those of one run. Visits are
 * told apart by scenario, point and round.
 *
 * @throws {TypeError} when the lines are of several runs and no new id is given, when records of one
 * visit differ and are not pooled, or when one point was measured on different machines: seconds of two
 * machines are never pooled
 */
export function mergeRecords(lines: readonly Line[], options: MergeOptions): Merged {
  const visits = [...Map.groupBy(withRunId(lines, options.runId), visitId).values()];
  const distinct = visits.map(withoutRepeated);
  const kept = distinct.map(withoutRetried);
  checkDuplicates(kept, options);
  const merged = renumbered(kept.flat());
  checkPoolable(merged.filter((line): line is RunRecord => !("outcome" in line)), "merge");
  const distinctCount = distinct.flat().length;
  return {
    lines: merged,
    repeatedCount: lines.length - distinctCount,
    retriedCount: distinctCount - merged.length,
    machines: machinesOf(merged),
  };
}

function withoutRepeated(visit: readonly Line[]): readonly Line[] {
  if (visit.length === 1) return visit;
  return [...new Map(visit.map((line) => [JSON.stringify(line), line])).values()];
}

function withRunId(lines: readonly Line[], runId: string | undefined): readonly Line[] {
  if (runId !== undefined) return lines.map((line) => ({ ...line, runId }));
  const runIds = new Set(lines.map((line) => line.runId));
  if (runIds.size <= 1) return lines;
  throw new TypeError(
    `Cannot merge the records as they are of several runs, ${
      [...runIds].join(", ")
    }: give the run that they become an id by --run-id`,
  );
}

/** A visit that failed and was measured after all did not fail; one that failed twice did once. */
function withoutRetried(visit: readonly Line[]): readonly Line[] {
  const measured = visit.filter((line) => !("outcome" in line));
  return measured.length > 0 ? measured : visit.slice(0, 1);
}

/** Duplicates of a message at most. */
const NAMED_MAX = 5;

function checkDuplicates(
  visits: readonly (readonly Line[])[],
  { duplicates }: MergeOptions,
): void {
  const several = visits.filter(({ length }) => length > 1).map(([line]) => visitId(line!));
  if (several.length === 0 || duplicates === "pool") return;
  throw new TypeError(
    `Cannot merge the records as ${several.length} visits were measured more than once, with other ` +
      `samples: ${
        several.slice(0, NAMED_MAX).join(", ")
      }; --duplicates pool takes them for further rounds`,
  );
}

/** Orders the lines, and numbers the visits of each point from 0 where some were pooled. */
function renumbered(lines: readonly Line[]): Line[] {
  const points = Map.groupBy(lines, pointName);
  return [...points].toSorted(([left], [right]) => left < right ? -1 : 1).flatMap(([, visits]) => {
    const sorted = visits.toSorted((left, right) => left.round - right.round);
    const isPooled = new Set(sorted.map(({ round }) => round)).size < sorted.length;
    return isPooled ? sorted.map((line, round) => ({ ...line, round })) : sorted;
  });
}

/** What tells machines apart; load and clock differ from minute to minute. */
export function machineId(
  { cpuModel, coreCount, os, arch, denoVersion, v8Version, commit }: Machine,
): string {
  return [cpuModel, coreCount, os, arch, denoVersion, v8Version, commit].join(", ");
}

/** The machine, and the adapter where a record has one. */
export function placeId({ machine, adapter }: RunRecord): string {
  return [machineId(machine), ...adapter === undefined ? [] : [adapter]].join(", ");
}

/**
 * Whether the records of each point may be taken together, as rounds of one run.
 *
 * @param act what is about to be done with them: a part of a sentence
 * @throws {TypeError} when they are of several runs, or a point was measured on different machines,
 * versions or adapters
 */
export function checkPoolable(records: readonly RunRecord[], act: string): void {
  const runIds = new Set(records.map(({ runId }) => runId));
  if (runIds.size > 1) {
    throw new TypeError(
      `Cannot ${act} the records as they must be of one run, in a file of its own: they are of ${
        [...runIds].join(", ")
      }`,
    );
  }
  const points = Map.groupBy(records, pointName);
  for (const [name, visits] of points) {
    const places = new Set(visits.map(placeId));
    if (places.size === 1) continue;
    throw new TypeError(
      `Cannot ${act} the records as ${name} was measured on different machines or versions: ${
        [...places].join(" and ")
      }; take those of one, in a file of its own`,
    );
  }
}

function machinesOf(lines: readonly Line[]): Merged["machines"] {
  return [...Map.groupBy(lines, ({ machine }) => machineId(machine)).values()].map((some) => ({
    machine: some[0]!.machine,
    lineCount: some.length,
  }));
}
