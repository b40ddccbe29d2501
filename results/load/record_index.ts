import { median } from "simple-statistics";
import { join } from "@std/path";
import { pointName, type RunRecord } from "../../bench/record/record.ts";
import { writeWhole } from "../../bench/record/writer.ts";
import { processorsLeftTo } from "../report/compare_runs.ts";
import {
  changedFirst,
  type HistoryEntry,
  machineName,
  type PointHistory,
  pointHistory,
} from "../report/runs/history.ts";
import { isCrowded } from "../statistics/compare.ts";
import { medianInterval } from "../statistics/interval.ts";
import { secondsPerCall } from "../statistics/summary.ts";

/** What all records of a folder say of each point over its runs. */
export interface IndexedRecords {
  /** The points that enough runs have, those that changed most first. */
  readonly histories: readonly PointHistory[];
  /** What could not be read, in sentences. */
  readonly notes: readonly string[];
}

/** The name of the index, beside the records. */
export const INDEX_NAME = "history_index.json";
/** Grows when a row changes: of an index of before, all is read again. */
const INDEX_VERSION = 1;

/** Of a record what a history needs. */
interface Row {
  readonly runId: string;
  readonly startedAt: string;
  readonly commit: string;
  readonly machine: string;
  readonly scenario: string;
  readonly pointId: string;
  readonly round: number;
  readonly seconds: number;
  /** Absent where there is no floor, or one that differs from point to point. */
  readonly floorSeconds?: number;
  readonly processorsLeft: number;
}

interface IndexedFile {
  readonly size: number;
  readonly changedMilliseconds: number;
  readonly rows: readonly Row[];
}

type Index = Readonly<Record<string, IndexedFile>>;

/**
 * How each point moved over the runs of a folder and of those within it, by an index beside the records: of
 * each file what a history needs, a row a record. A file is read again when its size or its time has
 * changed. Where there is no record, no index is left behind.
 *
 * @param options `filter` is a text that scenario and id contain
 * @throws {Deno.errors.NotFound} when there is no such folder
 * @throws {TypeError} when it holds no record
 */
export async function indexRecords(
  folder: string,
  { filter = "" }: { readonly filter?: string } = {},
): Promise<IndexedRecords> {
  const known = readIndex(join(folder, INDEX_NAME));
  const notes: string[] = [];
  const index: Index = Object.fromEntries(
    filesIn(folder, "").flatMap(({ path, ...state }) => {
      const file = known[path];
      const { size, changedMilliseconds } = state;
      if (file?.size === size && file.changedMilliseconds === changedMilliseconds) {
        return [[path, file]];
      }
      try {
        return [[path, { ...state, rows: rowsIn(join(folder, path)) }]];
      } catch (cause) {
        notes.push(`Cannot read ${join(folder, path)}: ${(cause as Error).message}`);
        return [];
      }
    }),
  );
  const rows = Object.values(index).flatMap((file) => file.rows);
  if (rows.length === 0) {
    throw new TypeError(`Cannot tell a history as there is no record of version 3 in ${folder}`);
  }
  await writeWhole(join(folder, INDEX_NAME), [JSON.stringify({ version: INDEX_VERSION, index })]);
  const wanted = rows.filter((row) => `${row.scenario} ${row.pointId}`.includes(filter));
  return { histories: historiesOf(wanted), notes };
}

/** Nothing of an index that is damaged, or of another version: it is made again. */
function readIndex(path: string): Index {
  try {
    const { version, index } = JSON.parse(Deno.readTextFileSync(path));
    return version === INDEX_VERSION ? index : {};
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof Deno.errors.NotFound) return {};
    throw error;
  }
}

function filesIn(
  folder: string,
  below: string,
): (Omit<IndexedFile, "rows"> & { readonly path: string })[] {
  return [...Deno.readDirSync(join(folder, below))].flatMap(({ name, isDirectory }) => {
    const path = join(below, name);
    if (isDirectory) return filesIn(folder, path);
    if (!name.endsWith(".jsonl")) return [];
    const { size, mtime } = Deno.statSync(join(folder, path));
    return [{ path, size, changedMilliseconds: mtime?.getTime() ?? 0 }];
  });
}

function rowsIn(path: string): Row[] {
  return Deno.readTextFileSync(path).split("\n").flatMap((line) => {
    try {
      return rowOf(JSON.parse(line)) ?? [];
    } catch (error) {
      if (error instanceof SyntaxError) return []; // what is cut off, and the end of the file
      throw error;
    }
  });
}

/** Nothing of a point without samples, and of a record before version 3, which does not say what a turn is. */
function rowOf(record: Partial<RunRecord>): Row | undefined {
  const { recordVersion = 0, latencySeconds = [], controlSeconds = [], scenario, machine } = record;
  if (recordVersion < 3 || latencySeconds.length === 0 || !scenario || !machine?.commit) return;
  const whole = record as RunRecord;
  const { runId, startedAt, pointId, round, adapter, hasFixedFloor, callsPerTurn } = whole;
  return {
    ...{ runId, startedAt, commit: machine.commit, scenario, pointId, round },
    machine: [machineName(machine), adapter ?? []].flat().join(", "),
    seconds: median([...secondsPerCall(whole)]),
    ...(hasFixedFloor && controlSeconds.length > 0 && {
      floorSeconds: median([...controlSeconds]) / callsPerTurn,
    }),
    processorsLeft: processorsLeftTo(whole),
  };
}

/** Each visit once, however many files hold it. */
function historiesOf(rows: readonly Row[]): PointHistory[] {
  const visits = new Map(rows.map((row) => [JSON.stringify(row), row]));
  const sorted = [...visits.values()].toSorted((left, right) =>
    left.startedAt.localeCompare(right.startedAt) || left.runId.localeCompare(right.runId) ||
    left.round - right.round
  );
  const points = Map.groupBy(sorted, (row) => `${row.scenario} ${row.pointId}\n${row.machine}`);
  return changedFirst([...points.values()].map(historyOfPoint));
}

function historyOfPoint(rows: readonly Row[]): PointHistory {
  const [{ scenario, pointId, machine }] = rows as [Row];
  const isRatio = rows.every(({ floorSeconds = 0 }) => floorSeconds > 0);
  const runs = Map.groupBy(rows, ({ runId, startedAt }) => `${startedAt} ${runId}`);
  const entries = [...runs.values()].map((rounds): HistoryEntry => {
    const [{ runId, startedAt, commit }] = rounds as [Row];
    const figures = rounds.map(({ seconds, floorSeconds }) =>
      isRatio ? seconds / floorSeconds! : seconds
    );
    const figure = medianInterval(figures);
    return { runId, startedAt, commit, figure, isCrowded: isCrowded(rounds) };
  });
  const name = pointName({ scenario, pointId });
  return pointHistory({ name, scenario, machine, isRatio, entries });
}
