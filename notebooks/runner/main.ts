/**
 * Executes notebooks against the Deno kernel, without a browser.
 *
 * @module
 */
import { parseArgs } from "@std/cli";
import { listNotebooks, runNotebookFile } from "./notebook_files.ts";

const USAGE = `Usage: deno task notebooks [--write] [--save=FOLDER] [FILE...]

Executes notebooks from top to bottom, all of this project when no FILE is given. A cell that fails, that
shows nothing, or that says something else than its stored output is a problem: pictures are not compared,
and neither are texts of cells with the tag "varies".

  --write          store the outputs in the notebooks themselves, as pictures and texts
  --save=FOLDER    write executed copies there
  --help           show this text

It ends with 0, and with 1 when there is a problem.
`;

const { save, write, help, _: files } = parseArgs(Deno.args, {
  string: ["save"],
  boolean: ["write", "help"],
  unknown: (option) => {
    if (!option.startsWith("-")) return true;
    console.error(`Cannot read the option ${option}: see --help`);
    Deno.exit(2);
  },
});
if (help) {
  console.log(USAGE);
  Deno.exit();
}
const saveFolder = save as string | undefined;
const paths = files.length > 0 ? files.map(String) : listNotebooks();
let problemCount = 0;
for (const path of paths) {
  const start = performance.now();
  // A file that cannot be read is a problem of its own, and no reason to leave out the others.
  const problems = await runNotebookFile(path, { saveFolder, isWritten: write === true }).catch((
    error,
  ) => [error.message]);
  problemCount += problems.length;
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${problems.length > 0 ? "FAILED" : "ok    "} ${path} ${seconds} s`);
  for (const problem of problems) console.log(`       ${problem}`);
}
console.log(`${paths.length} notebooks, ${problemCount} problems`);
Deno.exitCode = problemCount > 0 ? 1 : 0;
