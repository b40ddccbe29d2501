import { DuckDBInstance } from "@duckdb/node-api";

/** Bytes of the longest line that is read: a record of a long sweep may have some hundred thousand. */
const LINE_BYTES_MAX = 64 << 20;

/**
 * Records as a table of DuckDB: one row a line, one column a field, those that some lines lack empty.
 * The columns of points are structures, `point.portCount`.
 *
 * @param glob the files, such as `results/raw/*.jsonl`
 *
 * @example
 * ```ts
 * import { recordsTable } from "./parquet.ts";
 * if (!recordsTable("raw/*.jsonl").startsWith("read_json_auto('raw/*.jsonl'")) throw new Error("SQL");
 * ```
 */
export function recordsTable(glob: string): string {
  const path = glob.replaceAll("'", "''");
  return `read_json_auto('${path}', format = 'newline_delimited', union_by_name = true, ` +
    `sample_size = -1, maximum_object_size = ${LINE_BYTES_MAX})`;
}

/** One row of an answer: values by the names of the columns. */
export type QueryRow = Readonly<Record<string, unknown>>;

/**
 * Runs a query in DuckDB, in memory.
 *
 * @example
 * ```ts
 * import { query } from "./parquet.ts";
 * const [row] = await query("select 40 + 2 as answer");
 * if (row?.answer !== 42) throw new Error(`${row?.answer}`);
 * ```
 */
export async function query(sql: string): Promise<readonly QueryRow[]> {
  const instance = await DuckDBInstance.create(":memory:");
  try {
    const connection = await instance.connect();
    try {
      const reader = await connection.runAndReadAll(sql);
      return reader.getRowObjectsJS();
    } finally {
      connection.closeSync();
    }
  } finally {
    instance.closeSync();
  }
}

/**
 * Writes records as a Parquet file, which spreadsheets of data people open and which is a fraction of
 * the size.
 *
 * @param source files of records, such as `results/raw/*.jsonl`
 * @param target the file to write
 */
export async function toParquet(source: string, target: string): Promise<void> {
  const path = target.replaceAll("'", "''");
  await query(`copy (from ${recordsTable(source)}) to '${path}' (format parquet)`);
}
