/**
 * The command line that writes the site: `deno task site`.
 *
 * @module
 */
import { FAILED_EXIT, write } from "../../bench/cli/command_line.ts";
import { runCommand } from "../../bench/cli/options/command_options.ts";
import { writeSite } from "./site.ts";

const COMMAND = {
  usage: ["deno task site [--out FOLDER]"],
  does:
    `Writes the README, the documents, the executed notebooks, a report of each stored run and the
documentation of the API as static pages with a search. They begin with what was found: questions,
answers with their intervals, the machine, the date, and what would refute them.`,
  options: {
    out: {
      value: "FOLDER",
      help:
        "where the pages go, dist/site when absent; what is there of an earlier site is replaced",
    },
  },
  ends: `It ends with 0, with 1 when a page leads nowhere, and with 2 when nothing was written.`,
} as const;

Deno.exit(
  await runCommand(COMMAND, async ({ given: { out: folder = "dist/site" } }) => {
    const { pageCount, deadLinks } = await writeSite(folder, { tell: console.log });
    for (const link of deadLinks) write(Deno.stderr, `${link}\n`);
    console.log(`${pageCount} pages`);
    write(Deno.stderr, `Next: open ${folder}/index.html, or serve the folder\n`);
    return deadLinks.length > 0 ? FAILED_EXIT : 0;
  }),
);
