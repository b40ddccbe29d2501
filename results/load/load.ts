import { join } from "@std/path";
import type { RunRecord, UnmeasuredPoint } from "../../bench/record/record.ts";
import { completeOlder } from "./complete_older.ts";
import { recordProblem } from "./record_problem.ts";

/** Records that could be read, and what could not. */
export interface Loaded {
  /** In the order of the files and of their lines. */
  readonly records: readonly RunRecord[];
  /** Points that the sweep skipped, or that failed, in the same order. */
  readonly unmeasured: readonly UnmeasuredPoint[];
  /** One sentence for each bad line, which names file and line. */
  readonly problems: readonly string[];
}

/**
 * Reads records from files, or from every `.jsonl` file of a folder in the order of their names.
 * Unknown fields are ignored, bad lines reported and left out.
 *
 * @throws {Deno.errors.NotFound} when there is no such file or folder
 *
 * @example
 * ```ts
 * import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";
 * import { RecordWriter } from "../../bench/record/writer.ts";
 * import { loadRecords } from "./load.ts";
 * const folder = await Deno.makeTempDir();
 * using writer = await RecordWriter.create(folder, { runId: "monday" });
 * await writer.write(sampleRecord);
 * const { records, problems } = await loadRecords(folder);
 * if (records.length !== 1 || problems.length > 0) throw new Error("one good record");
 * await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function loadRecords(...paths: readonly (string | URL)[]): Promise<Loaded> {
  const loaded = await Promise.all((await filesOf(paths)).map(loadFile));
  return {
    records: loaded.flatMap(({ records }) => records),
    unmeasured: loaded.flatMap(({ unmeasured }) => unmeasured),
    problems: loaded.flatMap(({ problems }) => problems),
  };
}

async function filesOf(paths: readonly (string | URL)[]): Promise<(string | URL)[]> {
  const files: (string | URL)[] = [];
  for (const path of paths) {
    if (await isFolder(path)) files.push(...await recordFilesIn(path));
    else files.push(path);
  }
  return files;
}

async function isFolder(path: string | URL): Promise<boolean> {
  try {
    return (await Deno.stat(path)).isDirectory;
  } catch (cause) {
    if (!(cause instanceof Deno.errors.NotFound)) throw cause;
    throw new Deno.errors.NotFound(
      `Cannot load records as there is no such file or folder: current value is ${path}`,
      { cause },
    );
  }
}

async function recordFilesIn(folder: string | URL): Promise<(string | URL)[]> {
  const entries = await Array.fromAsync(Deno.readDir(folder));
  const names = entries.map(({ name }) => name).filter((name) => name.endsWith(".jsonl")).sort();
  if (typeof folder === "string") return names.map((name) => join(folder, name));
  const base = folder.href.endsWith("/") ? folder : new URL(`${folder.href}/`);
  return names.map((name) => new URL(encodeURIComponent(name), base));
}

async function loadFile(path: string | URL): Promise<Loaded> {
  const bytes = await Deno.readFile(path);
  if (!isUtf8Text(bytes)) {
    const problem =
      `${path}: Cannot read the records as the file is UTF-16 or no text: save it as UTF-8`;
    return { records: [], unmeasured: [], problems: [problem] };
  }
  return parseRecords(new TextDecoder().decode(bytes), { source: String(path) });
}

/** Some programs of Windows write UTF-16: with a mark, or with a zero in one of two bytes. */
function isUtf8Text([first, second]: Uint8Array): boolean {
  const isMarked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  return !isMarked && first !== 0 && second !== 0;
}

/**
 * Reads records from the text of a file. Lines may end as on Windows, and begin with the mark of UTF-8,
 * as they do where files with the mark were joined. Records of older versions are completed.
 *
 * @param options `source` names the text in problems
 *
 * @example
 * ```ts
 * import { parseRecords } from "./load.ts";
 * const { problems } = parseRecords("{}\n", { source: "a.jsonl" });
 * if (!problems[0]?.startsWith("a.jsonl:1: ")) throw new Error(problems[0]);
 * ```
 */
export function parseRecords(text: string, options: { readonly source: string }): Loaded {
  const records: RunRecord[] = [];
  const unmeasured: UnmeasuredPoint[] = [];
  const problems: string[] = [];
  for (const [index, marked] of text.split("\n").entries()) {
    const line = marked.replace(/^\ufeff/, "");
    if (line.trim() === "") continue;
    const parsed = parseLine(line);
    if (typeof parsed === "string") problems.push(`${options.source}:${index + 1}: ${parsed}`);
    else if ("outcome" in parsed) unmeasured.push(parsed);
    else records.push(parsed);
  }
  return { records, unmeasured, problems };
}

/** The record, or why the line is none. */
function parseLine(line: string): RunRecord | UnmeasuredPoint | string {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return "Cannot read the record as it is not JSON: was the line cut off?";
  }
  const problem = recordProblem(value);
  if (problem !== undefined) return `Cannot read the record as ${problem}`;
  return completeOlder(value as RunRecord | UnmeasuredPoint);
}
