import schema from "../../bench/record/record_schema.json" with { type: "json" };
import older from "./older_scenarios.json" with { type: "json" };
import { join } from "@std/path";
import {
  countText,
  READABLE_VERSIONS,
  RECORD_VERSION,
  type RunRecord,
  type UnmeasuredPoint,
} from "../../bench/record/record.ts";
import { visitId } from "../../bench/sweep/run_sweep.ts";
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import type { Target } from "../../scenarios/scenario.ts";

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

/**
 * Records of which none is there twice, as it is when a merged file is loaded beside its parts: a visit
 * that counted as two rounds would make an interval narrower than the truth.
 *
 * @returns the same, with a note on records that were left out, and one on visits whose records differ,
 * which stay: nobody knows which is right
 */
export function distinctVisits(loaded: Loaded): Loaded & { readonly notes: readonly string[] } {
  const visits = Map.groupBy(loaded.records, (record) => `${record.runId} ${visitId(record)}`);
  const several = [...visits.values()].filter(({ length }) => length > 1).map(distinct);
  const differing = several.filter(({ kept }) => kept.length > 1);
  const repeated = new Set(several.flatMap(({ repeated }) => repeated));
  return {
    ...loaded,
    records: loaded.records.filter((record) => !repeated.has(record)),
    notes: [
      ...repeated.size === 0
        ? []
        : [`${countText(repeated.size, "record")} there twice, to count once`],
      ...differing.length === 0 ? [] : [
        `${countText(differing.length, "visit")} measured more than once, such as ` +
        `${visitId(differing[0]!.kept[0]!)}: each counts as a round of its own`,
      ],
    ],
  };
}

function distinct(records: readonly RunRecord[]) {
  const kept = [...new Map(records.map((record) => [JSON.stringify(record), record])).values()];
  return { kept, repeated: records.filter((record) => !kept.includes(record)) };
}

/** The first characters of a value that an error shows. */
const SHOWN_MAX = 60;

let validate: ValidateFunction | undefined;

/**
 * Why a line of a records file is of no use to a reader: the part that is not as the schema of records
 * (`bench/record/record_schema.json`) says. What the schema does not know is ignored.
 *
 * @returns a part of a sentence; undefined for a record, or a point without samples, that is right
 */
export function recordProblem(record: unknown): string | undefined {
  if (typeof record !== "object" || record === null) return "it is not an object";
  const { recordVersion } = record as Partial<RunRecord>;
  if (!READABLE_VERSIONS.includes(recordVersion ?? 0)) {
    const versions = READABLE_VERSIONS.join(" or ");
    return `its recordVersion must be ${versions}: current value is ${recordVersion}`;
  }
  // Compiled when the first record is read: most programs that import this read none.
  validate ??= new Ajv2020({ allowUnionTypes: true, verbose: true }).compile(schema);
  if (!validate(record)) return schemaProblem(validate.errors![0]!);
  return idProblem(record as RunRecord) ??
    ("outcome" in record ? undefined : pairProblem(record as RunRecord));
}

/** Charts go by the point, tables by its id. */
function idProblem({ point, pointId }: RunRecord): string | undefined {
  const named = Object.entries(point).map(([name, value]) => `${name}=${value}`).join(";");
  const parts = (text: string) => text.split(";").sort().join(";");
  if (parts(named) === parts(pointId)) return;
  return `pointId must name the point, as "${named}" does: it is ${
    JSON.stringify(pointId).slice(0, SHOWN_MAX)
  }`;
}

function schemaProblem({ instancePath, message, params, data }: ErrorObject): string {
  const path = instancePath.replace(/\/(\d+)/g, "[$1]").replaceAll("/", ".").slice(1);
  const { missingProperty: missing } = params;
  if (missing !== undefined) return `${path === "" ? "" : `${path}.`}${missing} is missing`;
  const allowed = params.allowedValues === undefined
    ? ""
    : `, ${params.allowedValues.join(" or ")}`;
  const shown = JSON.stringify(data).slice(0, SHOWN_MAX);
  return `${path || "it"} ${message}${allowed}: it is ${shown}`;
}

/** Samples of controls belong to those of the trial one by one. */
function pairProblem({ latencySeconds, controlSeconds, references }: RunRecord) {
  const samples: readonly (readonly [name: string, seconds: readonly number[]])[] = [
    ["controlSeconds", controlSeconds],
    ...Object.entries(references).map(([name, one]) =>
      [`the samples of "${name}"`, one.latencySeconds] as const
    ),
  ];
  const odd = samples.find(([, { length }]) => length > 0 && length !== latencySeconds.length);
  return odd && `${odd[0]} must be as many numbers as latencySeconds, or none: there are ` +
      `${odd[1].length} and ${latencySeconds.length}`;
}

/** What records before version 3 leave out of a scenario; it stays as it was when version 3 came. */
interface OlderScenario {
  /** Numbers, or axes whose values count, to be multiplied; one call when absent. */
  readonly callsPerTurn?: readonly (number | string)[];
  readonly mainReference?: string;
  readonly compares?: string;
  readonly targets?: readonly Target[];
  /** Whether it is no part of `scenarios/`: its module is on the command line. */
  readonly isOutside?: boolean;
}

const SCENARIOS = older.scenarios as unknown as Readonly<Record<string, OlderScenario>>;

/**
 * A line of a records file as version 3 has it. Versions 1 and 2 left it to their readers to know the
 * scenario: of this project's that is kept in `older_scenarios.json`; of others nobody knows it any
 * more, and a warning says so.
 */
export function completeOlder(line: RunRecord | UnmeasuredPoint): RunRecord | UnmeasuredPoint {
  if (line.recordVersion >= RECORD_VERSION) return line;
  const repeated = { ...line, recordVersion: RECORD_VERSION, repeatArguments: repeatOf(line) };
  if ("outcome" in repeated) return repeated;
  const { scenario, point, control = "", warnings } = repeated;
  const known = scenarioOf(scenario);
  const { callsPerTurn = [], targets = [], mainReference, compares } = known ?? {};
  return {
    ...repeated,
    callsPerTurn: callsPerTurn.reduce<number>(
      (count, factor) => count * Number(typeof factor === "number" ? factor : point[factor]),
      1,
    ),
    targets,
    hasPairFloor: older.pairFloors.includes(control),
    hasFixedFloor: older.fixedFloors.includes(control),
    ...(mainReference !== undefined && { mainReference }),
    ...(compares !== undefined && { compares }),
    warnings: known ? warnings : [...warnings, unknownText(line.recordVersion)],
  };
}

function scenarioOf(name: string): OlderScenario | undefined {
  return Object.hasOwn(SCENARIOS, name) ? SCENARIOS[name] : undefined;
}

function unknownText(recordVersion: number): string {
  return `Records of version ${recordVersion} say neither the targets of a scenario nor how many calls ` +
    "a turn of it is: a call is a turn here, and nothing is judged";
}

function repeatOf({ scenario, pointId, commandLine }: RunRecord | UnmeasuredPoint): string[] {
  const known = scenarioOf(scenario);
  const isInside = known !== undefined && known.isOutside !== true;
  const named = isInside ? scenario : onlyModuleOf(commandLine ?? []) ?? scenario;
  return ["--scenario", named, ...pointId === "" ? [] : ["--point", pointId]];
}

/** The only module that the sweep was told to measure. */
function onlyModuleOf(commandLine: readonly string[]): string | undefined {
  const modules = commandLine
    .flatMap((arg, at) =>
      commandLine[at - 1] === "--scenario" ? arg : /^--scenario=(.*)/.exec(arg)?.[1]
    )
    .flatMap((text) => text?.split(",") ?? [])
    .filter((text) => /[/.]/.test(text));
  return modules.length === 1 ? modules[0] : undefined;
}
