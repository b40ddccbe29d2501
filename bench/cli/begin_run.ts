import { join } from "@std/path";
import { type Loaded, loadRecords } from "../../results/load/load.ts";
import { describeMachine, machineChanges } from "../machine/machine.ts";
import { machineId } from "../record/merge_records.ts";
import { pointName } from "../record/record.ts";
import { RecordWriter } from "../record/writer.ts";
import type { PlannedPoint } from "../sweep/plan_sweep.ts";
import type { RunContext } from "../sweep/run_sweep.ts";
import { type BenchOptions, parseOptions } from "./options/options.ts";

/** A sweep that is about to begin, or to go on. */
export interface BegunRun {
  /** Those of the command line; of a sweep that goes on, with those that it was begun with. */
  readonly options: BenchOptions;
  /** Becomes part of each record. */
  readonly context: RunContext;
  /** What the file of records holds already; nothing of a new sweep. */
  readonly lines: Loaded;
  /** Makes or opens the file of records. */
  readonly writer: () => Promise<RecordWriter>;
}

/**
 * Prepares a new sweep, or with `--resume` the rest of an earlier one: its id, its seed and its command
 * line are in its records, and what is added on this command line counts last.
 *
 * @throws {TypeError} when the file to go on with is not one of records: nothing is changed then
 */
export async function beginRun(
  given: BenchOptions,
  args: readonly string[],
): Promise<BegunRun> {
  if (given.resume !== undefined) return await resumedRun(given.resume, args);
  const context = await contextOf(given, args);
  const runId = runFileName(context, given);
  const writer = () => RecordWriter.create(join(given.out, "raw"), { runId });
  return { options: given, context, lines: { records: [], unmeasured: [], problems: [] }, writer };
}

async function resumedRun(path: string, args: readonly string[]): Promise<BegunRun> {
  const lines = await loadRecords(path);
  await refuseForeign(path, lines);
  const [first] = [...lines.records, ...lines.unmeasured];
  const begun = first?.commandLine ?? [];
  const options = await parseOptions([...begun, ...args]);
  const writer = () => RecordWriter.resume(path, () => loadRecords(path));
  const now = await contextOf(options, begun.length > 0 ? begun : withoutResume(args));
  if (first === undefined) return { options, context: now, lines, writer };
  const { runId, startedAt, seed, machine } = first;
  const warnings = machineChanges(machine, now.machine);
  return { options, context: { ...now, runId, startedAt, seed, warnings }, lines, writer };
}

/** How each line begins. */
const LINE_BEGIN = '{"recordVersion":';

/** What goes on with a file cuts off its last line if that is no JSON, and adds others. */
async function refuseForeign(path: string, { records, unmeasured }: Loaded): Promise<void> {
  const { isDirectory } = await Deno.stat(path);
  if (isDirectory) {
    throw new TypeError(`Cannot go on with ${path} as it is a folder: name the file of one sweep`);
  }
  if (records.length + unmeasured.length > 0) return;
  const text = await Deno.readTextFile(path);
  const isCutOff = !text.includes("\n") &&
    (text.startsWith(LINE_BEGIN) || LINE_BEGIN.startsWith(text));
  if (isCutOff) return;
  throw new TypeError(`Cannot go on with ${path} as no line of it is a record: it is as it was`);
}

/**
 * Whether what is left of a sweep can be measured here: rounds of one point on two machines, or of two
 * versions, cannot be taken together.
 *
 * @param left visits to be made
 * @throws {TypeError} which names the point, and both machines
 */
export function refuseOtherMachine(
  { lines: { records }, context: { machine } }: BegunRun,
  left: readonly PlannedPoint[],
): void {
  const here = machineId(machine);
  const points = new Set(left.map(({ scenario, pointId }) => `${scenario.name} ${pointId}`));
  const other = records.find((record) =>
    points.has(`${record.scenario} ${record.pointId}`) && machineId(record.machine) !== here
  );
  if (other === undefined) return;
  throw new TypeError(
    `Cannot go on with the rounds of ${pointName(other)} as they began ` +
      `on ${machineId(other.machine)}, and this is ${here}: go on there, or begin a new sweep`,
  );
}

function withoutResume(args: readonly string[]): string[] {
  return args.filter((arg, at) => !arg.startsWith("--resume") && args[at - 1] !== "--resume");
}

/** What all records of a new run share. */
export async function contextOf(
  { runId, seed }: BenchOptions,
  args: readonly string[],
): Promise<RunContext> {
  const startedAt = new Date().toISOString();
  const machine = await describeMachine();
  const id = runId ?? startedAt.replace(/:/g, "-");
  return { runId: id, startedAt, seed, machine, commandLine: withoutResume(args) };
}

/** The name of a run's file without its ending: each shard has one of its own. */
export function runFileName(
  { runId }: Pick<RunContext, "runId">,
  { shard }: Pick<BenchOptions, "shard">,
): string {
  return shard === undefined ? runId : `${runId}_${shard.index}of${shard.count}`;
}
