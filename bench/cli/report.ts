/**
 * The command line that writes a report of one or more runs: `deno task report`.
 *
 * @module
 */
import { basename, join } from "@std/path";
import { distinctVisits, loadRecords } from "../../results/load/load.ts";
import { reportPage } from "../../results/report/report_page.ts";
import { writeWhole } from "../record/writer.ts";
import { FAILED_EXIT, tellAll, write } from "./command_line.ts";
import { runCommand } from "./options/command_options.ts";
import { resultsFolder } from "./options/option_values.ts";

const COMMAND = {
  usage: ["deno task report [--out FILE] [--targets] FILE..."],
  words: [1, Infinity],
  does:
    `Writes one page of the records in the files, which needs no network: answers, interactive charts, a
table to sort and filter, the machine, every warning, and the command that repeats each point. Runs
that share points are compared with the first one.`,
  options: {
    out: {
      value: "FILE",
      help: "where the page goes, results/pictures/ and the names of the files when absent",
    },
    targets: { help: "judge the figures that scenarios are meant to reach" },
  },
  ends:
    `It ends with 0, with 1 when a line of a file could not be read, and with 2 when nothing was written.`,
} as const;

if (import.meta.main) {
  Deno.exit(
    await runCommand(
      COMMAND,
      ({ given: { out, targets }, rest }) =>
        writeReport(rest, { out: out ?? pageOf(rest), areTargetsTold: targets }),
    ),
  );
}

async function writeReport(
  paths: readonly string[],
  { out, areTargetsTold }: { readonly out: string; readonly areTargetsTold: boolean },
): Promise<number> {
  const loaded = distinctVisits(await loadRecords(...paths));
  const { records, unmeasured, problems, notes } = loaded;
  tellAll([...problems, ...notes]);
  if (records.length === 0) {
    throw new TypeError(
      `Cannot write a report as there is no record in ${paths.join(", ")}`,
    );
  }
  await writeWhole(out, await reportPage(records, { unmeasured, areTargetsTold }));
  write(Deno.stdout, `${out}\n`);
  write(Deno.stderr, `Next: open it in a browser\n`);
  return problems.length > 0 ? FAILED_EXIT : 0;
}

/** Named after its files. */
export function pageOf(paths: readonly string[]): string {
  const names = paths.map((path) => basename(path).replace(/\.jsonl$/, ""));
  return join(resultsFolder(), "pictures", `${names.join("_")}.html`);
}
