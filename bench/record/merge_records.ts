import type { Machine } from "../machine/machine.ts";
import { visitId } from "../sweep/run_sweep.ts";
import type { RunRecord, UnmeasuredPoint } from "./record.ts";

/** A line of a records file. */
type Line = RunRecord | UnmeasuredPoint;

/** What becomes of two different records of one visit. */
export const DUPLICATE_RULES = ["refuse", "pool"] as const;

/**
 * `refuse`: the files are of different runs, or one was copied and went on, and a person has to look.
 * `pool`: each counts as one more visit of the point.
 */
export type DuplicateRule = typeof DUPLICATE_RULES[number];

/** How lines are merged. */
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
 *
 * @example
 * ```ts
 * import { mergeRecords } from "./merge_records.ts";
 * import { sampleRecord } from "./testdata/sample_record.ts";
 * const shards = [sampleRecord, { ...sampleRecord, pointId: "portCount=4" }, sampleRecord];
 * const { lines, repeatedCount } = mergeRecords(shards, { duplicates: "refuse" });
 * if (lines.length !== 2 || repeatedCount !== 1) throw new Error("one line was there twice");
 * ```
 */
export function mergeRecords(lines: readonly Line[], options: MergeOptions): Merged {
  const visits = [...Map.groupBy(withRunId(lines, options.runId), visitId).values()];
  const distinct = visits.map(withoutRepeated);
  const kept = distinct.map(withoutRetried);
  checkDuplicates(kept, options);
  const merged = renumbered(kept.flat());
  checkMachines(merged);
  const distinctCount = lineCountOf(distinct);
  return {
    lines: merged,
    repeatedCount: lines.length - distinctCount,
    retriedCount: distinctCount - merged.length,
    machines: machinesOf(merged),
  };
}

function lineCountOf(visits: readonly (readonly Line[])[]): number {
  return visits.reduce((sum, { length }) => sum + length, 0);
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
  const points = Map.groupBy(lines, ({ scenario, pointId }) => `${scenario} ${pointId}`);
  return [...points].toSorted(([left], [right]) => left < right ? -1 : 1).flatMap(([, visits]) => {
    const sorted = visits.toSorted((left, right) => left.round - right.round);
    const isPooled = new Set(sorted.map(({ round }) => round)).size < sorted.length;
    return isPooled ? sorted.map((line, round) => ({ ...line, round })) : sorted;
  });
}

/** What tells machines apart; load and clock differ from minute to minute. */
function machineId({ cpuModel, coreCount, os, arch, denoVersion, v8Version, commit }: Machine) {
  return [cpuModel, coreCount, os, arch, denoVersion, v8Version, commit].join(", ");
}

function checkMachines(lines: readonly Line[]): void {
  const measured = lines.filter((line): line is RunRecord => !("outcome" in line));
  const points = Map.groupBy(measured, ({ scenario, pointId }) => `${scenario} ${pointId}`);
  const mixed = [...points].find(([, visits]) =>
    new Set(visits.map(({ machine }) => machineId(machine))).size > 1
  );
  if (mixed === undefined) return;
  const ids = new Set(mixed[1].map(({ machine }) => machineId(machine)));
  throw new TypeError(
    `Cannot merge the records as ${mixed[0]} was measured on different machines or versions: ${
      [...ids].join(" and ")
    }`,
  );
}

function machinesOf(lines: readonly Line[]): Merged["machines"] {
  return [...Map.groupBy(lines, ({ machine }) => machineId(machine)).values()].map((some) => ({
    machine: some[0]!.machine,
    lineCount: some.length,
  }));
}
