/**
 * The command line that joins the records of shards: `deno task merge`.
 *
 * @module
 */
import { loadRecords } from "../../results/load/load.ts";
import {
  DUPLICATE_RULES,
  type DuplicateRule,
  type Merged,
  mergeRecords,
} from "../record/merge_records.ts";
import { recordLine, writeWhole } from "../record/writer.ts";
import { FAILED_EXIT, tellAll, write } from "./command_line.ts";
import { type ReadOptions, runCommand } from "./options/command_options.ts";
import { namesOf, runIdOf } from "./options/option_values.ts";
import { countText } from "../record/record.ts";

const OPTIONS = {
  out: { value: "FILE", help: "where the records go; must not exist" },
  duplicates: {
    value: "RULE",
    help:
      "when two files hold other samples of one visit: refuse (when absent), or pool, which takes " +
      "them for further rounds",
  },
  "run-id": {
    value: "NAME",
    help: "the id of the merged run; needed where the files are of several runs",
  },
} as const;

/** How it is called. */
export const COMMAND = {
  usage: ["deno task merge [options] --out FILE INPUT..."],
  words: [1, Infinity],
  does:
    `Joins the records of several files, or of all files of a folder, into one file: the shards of a sweep
(bench --shard I/N), or the rest of one that was begun on another machine. A visit of a point is in the
result once.`,
  options: OPTIONS,
  ends:
    `Samples of one point on two machines are never merged: seconds mean nothing across machines. It ends
with 0, with 1 when a line of a file could not be read, and with 2 when nothing was written.`,
} as const;

if (import.meta.main) Deno.exit(await runCommand(COMMAND, (read) => merge(optionsOf(read))));

async function merge(options: MergeCommand): Promise<number> {
  await refuseExisting(options.out);
  const { records, unmeasured, problems } = await loadRecords(...options.inputs);
  tellAll(problems);
  if (records.length + unmeasured.length === 0) {
    throw new TypeError(`Cannot merge as there is no record in ${options.inputs.join(", ")}`);
  }
  const merged = mergeRecords([...records, ...unmeasured], options);
  await writeWhole(options.out, merged.lines.values().map(recordLine));
  write(Deno.stdout, `${mergedText(merged, options.inputs.length)}\n${options.out}\n`);
  write(
    Deno.stderr,
    `Next: deno task bench --from ${options.out} for its table, or deno task report\n`,
  );
  return problems.length > 0 ? FAILED_EXIT : 0;
}

async function refuseExisting(path: string): Promise<void> {
  const isThere = await Deno.lstat(path).then(() => true, () => false);
  if (!isThere) return;
  throw new Deno.errors.AlreadyExists(
    `Cannot merge into ${path} as it exists: choose another --out`,
  );
}

/** How much was merged, and where it was measured, in a line each. */
export function mergedText(merged: Merged, fileCount: number): string {
  const { lines, repeatedCount, retriedCount, machines } = merged;
  const repeated = repeatedCount === 0 ? "" : `, ${countText(repeatedCount, "line")} there twice`;
  const retried = retriedCount === 0
    ? ""
    : `, ${countText(retriedCount, "failure")} measured after all`;
  return [
    `${countText(lines.length, "visit")} from ${
      countText(fileCount, "input")
    }${repeated}${retried}`,
    ...machines.map(({ machine, lineCount }) =>
      `${lineCount} on ${machine.cpuModel}, ${machine.coreCount} cores, commit ${
        machine.commit.slice(0, 12)
      }`
    ),
    ...machines.length > 1
      ? ["the points are of different machines or versions: compare their ratios, not their times"]
      : [],
  ].join("\n");
}

interface MergeCommand {
  readonly inputs: readonly string[];
  readonly out: string;
  readonly duplicates: DuplicateRule;
  readonly runId?: string;
}

/** @throws {SyntaxError} when the command line cannot be followed */
export function optionsOf({ given, rest: inputs }: ReadOptions<typeof OPTIONS>): MergeCommand {
  const { out, duplicates = "refuse", "run-id": runId } = given;
  if (out === undefined) throw new SyntaxError("Cannot merge without --out FILE: see --help");
  const [rule] = namesOf("duplicates", { text: duplicates, known: DUPLICATE_RULES });
  return { inputs, out, duplicates: rule!, ...(runId !== undefined && { runId: runIdOf(runId) }) };
}
