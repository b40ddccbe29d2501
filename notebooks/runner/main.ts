/**
 * Executes notebooks against the Deno kernel, without a browser.
 *
 * deno task notebooks [--save=FOLDER] [FILE...]
 *
 * @module
 */
import { parseArgs } from "@std/cli";
import { listNotebooks, runNotebookFile } from "./notebook_files.ts";

const { save, _: files } = parseArgs(Deno.args, {
  string: ["save"],
  unknown: (option) => {
    if (!option.startsWith("-")) return true;
    console.error(`Cannot read the option ${option}: use [--save=FOLDER] [FILE...]`);
    Deno.exit(2);
  },
});
const saveFolder = save as string | undefined;
const paths = files.length > 0 ? files.map(String) : listNotebooks();
let problemCount = 0;
for (const path of paths) {
  const start = performance.now();
  // A file that cannot be read is a problem of its own, and no reason to leave out the others.
  const problems = await runNotebookFile(path, { saveFolder }).catch((error) => [error.message]);
  problemCount += problems.length;
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${problems.length > 0 ? "FAILED" : "ok    "} ${path} ${seconds} s`);
  for (const problem of problems) console.log(`       ${problem}`);
}
console.log(`${paths.length} notebooks, ${problemCount} problems`);
Deno.exitCode = problemCount > 0 ? 1 : 0;
