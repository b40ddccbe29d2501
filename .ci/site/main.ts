/**
 * The command line that writes the site: `deno task site`.
 *
 * @module
 */
import { parseArgs } from "@std/cli/parse-args";
import { exitStatusOf, FAILED_EXIT } from "../../bench/cli/command_line.ts";
import { writeSite } from "./site.ts";

const USAGE = `Usage: deno task site [--out FOLDER]

Writes the README, the documents, the executed notebooks, a report of each stored run and the
documentation of the API as static pages with a search. They begin with what was found: questions,
answers with their intervals, the machine, the date, and what would refute them.

  --out FOLDER    where the pages go, dist/site when absent; what is there of an earlier site is replaced
  --help          show this text

It ends with 0, with 1 when a page leads nowhere, and with 2 when nothing was written.
`;

const { out, help, _: others } = parseArgs(Deno.args, {
  string: ["out"],
  boolean: ["help"],
  unknown: (option) => {
    console.error(`Cannot read ${option}: see --help`);
    Deno.exit(2);
  },
});
if (help || others.length > 0) {
  console.log(USAGE);
  Deno.exit(help ? 0 : 2);
}
const folder = String(out ?? "dist/site");
Deno.exit(
  await exitStatusOf(async () => {
    const { pageCount, deadLinks } = await writeSite(folder, { tell: console.log });
    for (const link of deadLinks) console.error(link);
    console.log(`${pageCount} pages. Open ${folder}/index.html, or serve the folder.`);
    return deadLinks.length > 0 ? FAILED_EXIT : 0;
  }),
);
