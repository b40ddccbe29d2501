/**
 * Executes notebooks against the Deno kernel, without a browser: `deno task notebooks`.
 *
 * @module
 */
import { FAILED_EXIT, write } from "../bench/cli/command_line.ts";
import { type ReadOptions, runCommand } from "../bench/cli/options/command_options.ts";
import { listNotebooks, runNotebookFile } from "../notebooks/runner/notebook_files.ts";
import { countText } from "../bench/record/record.ts";

const COMMAND = {
  usage: ["deno task notebooks [options] [FILE...]"],
  words: [0, Infinity],
  does:
    `Executes notebooks from top to bottom, all of this project when no FILE is given. A cell that fails, that
shows nothing, or that says something else than its stored output is a problem: pictures are not compared,
and neither are texts of cells with the tag "varies".`,
  options: {
    write: { help: "store the outputs in the notebooks themselves, as pictures and texts" },
    save: { value: "FOLDER", help: "write executed copies there" },
  },
  ends:
    `It ends with 0, with 1 when there is a problem, and with 2 when the command line is wrong or there is no
such file.`,
} as const;

Deno.exit(await runCommand(COMMAND, runNotebooks));

async function runNotebooks(
  { given: { save, write: isWritten }, rest }: ReadOptions<typeof COMMAND.options>,
): Promise<number> {
  for (const path of rest) await Deno.stat(path); // a wrong name is told before minutes have passed
  const paths = rest.length > 0 ? rest : listNotebooks();
  let problemCount = 0;
  for (const [index, path] of paths.entries()) {
    write(Deno.stderr, `${index + 1} of ${paths.length}: ${path} ...\n`);
    const start = performance.now();
    // A file that cannot be read is a problem of its own, and no reason to leave out the others.
    const problems = await runNotebookFile(path, { saveFolder: save, isWritten })
      .catch((error) => [error.message]);
    problemCount += problems.length;
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    console.log(`${problems.length > 0 ? "FAILED" : "ok    "} ${path} ${seconds} s`);
    for (const problem of problems) console.log(`       ${problem}`);
  }
  console.log(`${countText(paths.length, "notebook")}, ${countText(problemCount, "problem")}`);
  const next = problemCount === 0
    ? "deno task site has them as pages"
    : "mend the cells, or store what they say today: deno task notebooks --write FILE";
  write(Deno.stderr, `Next: ${next}\n`);
  return problemCount > 0 ? FAILED_EXIT : 0;
}
