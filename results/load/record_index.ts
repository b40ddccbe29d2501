import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { join } from "@std/path";
import { pointName } from "../../bench/record/record.ts";
import { isCrowded } from "../statistics/compare.ts";
import { medianInterval } from "../statistics/interval.ts";
import {
  changedFirst,
  type HistoryEntry,
  type PointHistory,
  pointHistory,
} from "../report/runs/history.ts";

/** What all records of a folder say of each point over its runs. */
export interface IndexedRecords {
  /** The points that enough runs have, those that changed most first. */
  readonly histories: readonly PointHistory[];
  /** What could not be read, and what was read, in sentences. */
  readonly notes: readonly string[];
}

/** The name of the index, beside the records. */
export const INDEX_NAME = "index.duckdb";

/**
 * How each point moved over the runs of a folder and of those within it, by an index that DuckDB keeps
 * beside the records: of each file what a history needs, one row a record. A file is read again when its
 * size or its time has changed.
 *
 * @param options `filter` is a text that scenario and id contain
 * @throws {Deno.errors.NotFound} when there is no such folder
 * @throws {TypeError} when it holds no record
 */
export async function indexRecords(
  folder: string,
  options: { readonly filter?: string } = {},
): Promise<IndexedRecords> {
  const files = filesIn(folder, "");
  const { instance, database } = await openIndex(join(folder, INDEX_NAME));
  try {
    const notes = await bringUpToDate(database, { folder, files });
    const rows = (await database.runAndReadAll(ROUNDS)).getRowObjectsJS() as unknown as Row[];
    if (rows.length === 0) {
      throw new TypeError(`Cannot tell a history as there is no record of version 3 in ${folder}`);
    }
    const { filter = "" } = options;
    const wanted = rows.filter(({ scenario, pointId }) =>
      `${scenario} ${pointId}`.includes(filter)
    );
    return { histories: historiesOf(wanted), notes };
  } finally {
    database.closeSync();
    instance.closeSync();
  }
}

async function openIndex(path: string) {
  try {
    const instance = await DuckDBInstance.create(path);
    const database = await instance.connect();
    await database.run(TABLES);
    return { instance, database };
  } catch (cause) {
    throw new TypeError(
      `Cannot use the index ${path}: ${(cause as Error).message}; if it is damaged, delete it: ` +
        "it is made again",
      { cause },
    );
  }
}

interface FileState {
  readonly path: string;
  readonly size: number;
  readonly changedMilliseconds: number;
}

function filesIn(folder: string, below: string): FileState[] {
  return [...Deno.readDirSync(join(folder, below))].flatMap(({ name, isDirectory }) => {
    const path = join(below, name);
    if (isDirectory) return filesIn(folder, path);
    if (!name.endsWith(".jsonl")) return [];
    const { size, mtime } = Deno.statSync(join(folder, path));
    return [{ path, size, changedMilliseconds: mtime?.getTime() ?? 0 }];
  });
}

/** Where columns change, so do the names: of an index of before, all is read again. */
const TABLES = `
create table if not exists sources (path text primary key, size double, changed double);
create table if not exists visits (
  path text, runId text, startedAt text, commitName text, machine text, scenario text, pointId text,
  round integer, seconds double, floorSeconds double, hasFixedFloor boolean,
  processorsLeft double
);`;

const ROUNDS = "select distinct * exclude (path) from visits order by startedAt, runId, round";

/**
 * A turn's time is shared out over its calls; a point without samples is left out, and so are records
 * before version 3, which do not say how many calls a turn has.
 */
const READ = `
insert into visits
select ?, runId, startedAt, machine.commit,
  concat_ws(', ', machine.cpuModel, machine.coreCount, machine.os, machine.arch, machine.denoVersion,
    machine.v8Version, adapter),
  scenario, pointId, round,
  list_median(latencySeconds) / coalesce(callsPerTurn, 1),
  list_median(controlSeconds) / coalesce(callsPerTurn, 1), coalesce(hasFixedFloor, false),
  (1 - coalesce(noise.otherShare, 0)) * machine.coreCount
from read_json(?, format = 'newline_delimited', maximum_object_size = 67108864, ignore_errors = true,
  columns = {
    recordVersion: 'integer', runId: 'varchar', startedAt: 'varchar', adapter: 'varchar', scenario: 'varchar',
    pointId: 'varchar', round: 'integer', callsPerTurn: 'double', hasFixedFloor: 'boolean',
    latencySeconds: 'double[]', controlSeconds: 'double[]',
    noise: 'struct(otherShare double)',
    machine: 'struct(cpuModel varchar, coreCount integer, os varchar, arch varchar,
      denoVersion varchar, v8Version varchar, "commit" varchar)'
  })
where recordVersion >= 3 and len(latencySeconds) > 0 and scenario is not null
  and machine.commit is not null`;

async function bringUpToDate(
  database: DuckDBConnection,
  { folder, files }: { readonly folder: string; readonly files: readonly FileState[] },
): Promise<string[]> {
  const known = new Map(
    ((await database.runAndReadAll("select * from sources")).getRowObjectsJS() as unknown as {
      path: string;
      size: number;
      changed: number;
    }[]).map((file) => [file.path, file]),
  );
  const changed = files.filter(({ path, size, changedMilliseconds }) =>
    known.get(path)?.size !== size || known.get(path)?.changed !== changedMilliseconds
  );
  const gone = [...known.keys()].filter((path) => !files.some((file) => file.path === path));
  for (const path of [...gone, ...changed.map(({ path }) => path)]) {
    await database.run("delete from visits where path = ?", [path]);
    await database.run("delete from sources where path = ?", [path]);
  }
  const notes: string[] = [];
  for (const { path, size, changedMilliseconds } of changed) {
    try {
      if (size > 0) await database.run(READ, [path, join(folder, path)]);
      await database.run("insert into sources values (?, ?, ?)", [path, size, changedMilliseconds]);
    } catch (cause) {
      notes.push(`Cannot read ${join(folder, path)}: ${(cause as Error).message.split("\n")[0]}`);
    }
  }
  return notes;
}

interface Row {
  readonly runId: string;
  readonly startedAt: string;
  readonly commitName: string;
  readonly machine: string;
  readonly scenario: string;
  readonly pointId: string;
  readonly seconds: number;
  readonly floorSeconds: number | null;
  readonly hasFixedFloor: boolean;
  readonly processorsLeft: number;
}

function historiesOf(rows: readonly Row[]): PointHistory[] {
  const points = Map.groupBy(rows, (row) => `${row.scenario} ${row.pointId}\n${row.machine}`);
  return changedFirst([...points.values()].map(historyOfPoint));
}

function historyOfPoint(rows: readonly Row[]): PointHistory {
  const [{ scenario, pointId, machine }] = rows as [Row];
  const isRatio = rows.every(({ hasFixedFloor, floorSeconds }) =>
    hasFixedFloor && (floorSeconds ?? 0) > 0
  );
  const runs = Map.groupBy(rows, ({ runId, startedAt }) => `${startedAt} ${runId}`);
  const entries = [...runs.values()].map((rounds): HistoryEntry => {
    const [{ runId, startedAt, commitName: commit }] = rounds as [Row];
    const figures = rounds.map(({ seconds, floorSeconds }) =>
      isRatio ? seconds / floorSeconds! : seconds
    );
    const figure = medianInterval(figures);
    return { runId, startedAt, commit, figure, isCrowded: isCrowded(rounds) };
  });
  const name = pointName({ scenario, pointId });
  return pointHistory({ name, scenario, machine, isRatio, entries });
}
