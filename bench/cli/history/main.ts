/**
 * The command line that says how points moved over commits: `deno task history`.
 *
 * @module
 */
import { parseArgs } from "@std/cli/parse-args";
import { indexRecords } from "../../../results/load/record_index.ts";
import { historyText } from "../../../results/report/runs/history.ts";
import { exitStatusOf, FAILED_EXIT, refuseOthers, refuseTwice, write } from "../command_line.ts";

const USAGE = `Usage: deno task history [options] FOLDER

Reads all records of a folder, those of folders within it too, and says of each point how it moved over
commits, each machine by itself: the commit from which on a call takes longer or less. An index beside
the records, FOLDER/index.duckdb, keeps what was read: only new and changed files are read again.

  --filter TEXT    only points whose scenario and id contain TEXT
  --changed        only points that changed
  --help           show this text

It ends with 0, with 1 when a point takes longer since its last change, and with 2 when nothing was read.
Then: deno task report FILES... draws what moved.
`;

if (import.meta.main) Deno.exit(await exitStatusOf(() => main(Deno.args)));

async function main(args: readonly string[]): Promise<number | void> {
  refuseTwice(args);
  const { help, changed, filter, _: folders } = parseArgs([...args], {
    string: ["filter", "_"],
    boolean: ["help", "changed"],
    unknown: refuseOthers(["--filter", "--changed", "--help"]),
  });
  if (help) return write(Deno.stdout, USAGE);
  if (folders.length !== 1) {
    throw new SyntaxError(
      "Cannot tell a history without exactly one folder of records: see --help",
    );
  }
  const { histories, notes } = await indexRecords(String(folders[0]), {
    ...(filter !== undefined && { filter: String(filter) }),
  });
  for (const note of notes) write(Deno.stderr, `${note}\n`);
  const told = changed ? histories.filter(({ changes }) => changes.length > 0) : histories;
  write(Deno.stdout, told.map((history) => `${historyText(history)}\n`).join(""));
  const worse = histories.filter(({ changes }) => (changes.at(-1)?.ratio ?? 0) > 1);
  write(Deno.stderr, `${histories.length} points with a history, ${worse.length} take longer\n`);
  return worse.length > 0 ? FAILED_EXIT : 0;
}
