/**
 * The command line that writes a report of one or more runs: `deno task report`.
 *
 * @module
 */
import { basename, join } from "@std/path";
import { distinctVisits, loadRecords } from "../../results/load/load.ts";
import { reportPage } from "../../results/report/report_page.ts";
import { writeWhole } from "../record/writer.ts";
import { exitStatusOf, FAILED_EXIT, tellAll, write } from "./command_line.ts";
import { readOptions, usageText } from "./options/command_options.ts";
import { resultsFolder } from "./options/option_values.ts";

const OPTIONS = {
  out: {
    value: "FILE",
    help: "where the page goes, results/pictures/ and the names of the files when absent",
  },
} as const;

const USAGE = usageText({
  usage: ["deno task report [--out FILE] FILE..."],
  does:
    `Writes one page of the records in the files, which needs no network: verdicts, interactive charts, a
table to sort and filter, the machine, every warning, and the command that repeats each point. Runs
that share points are compared with the first one.`,
  options: OPTIONS,
  ends:
    `It ends with 0, with 1 when a line of a file could not be read, and with 2 when nothing was written.`,
});

if (import.meta.main) Deno.exit(await exitStatusOf(() => main(Deno.args)));

async function main(args: readonly string[]): Promise<number | void> {
  const options = parseOptions(args);
  if (options === undefined) return write(Deno.stdout, USAGE);
  const loaded = distinctVisits(await loadRecords(...options.paths));
  const { records, unmeasured, problems, notes } = loaded;
  tellAll([...problems, ...notes]);
  if (records.length === 0) {
    throw new TypeError(
      `Cannot write a report as there is no record in ${options.paths.join(", ")}`,
    );
  }
  await writeWhole(options.out, await reportPage(records, { unmeasured }));
  write(Deno.stdout, `${options.out}\n`);
  write(Deno.stderr, `Next: open it in a browser\n`);
  return problems.length > 0 ? FAILED_EXIT : 0;
}

export interface ReportCommand {
  readonly paths: readonly string[];
  readonly out: string;
}

/**
 * Reads the command line; returns nothing when it asks for help.
 *
 * @throws {TypeError} when it cannot be followed
 */
export function parseOptions(args: readonly string[]): ReportCommand | undefined {
  const { given, rest: paths, isHelp } = readOptions(args, OPTIONS);
  if (isHelp) return undefined;
  if (paths.length === 0) {
    throw new TypeError("Cannot write a report as there is no file of records: see --help");
  }
  const names = paths.map((path) => basename(path).replace(/\.jsonl$/, ""));
  return { paths, out: given.out ?? join(resultsFolder(), "pictures", `${names.join("_")}.html`) };
}
