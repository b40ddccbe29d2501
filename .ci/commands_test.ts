/** Every task of deno.json, and every command that a page tells, runs in a clean tree. */
import { assertEquals, assertThrows } from "@std/assert";
import { readCommand } from "../bench/cli/options/command_options.ts";
import { COMMAND, optionsOf } from "./mutants/options.ts";
import { CleanTree } from "./clean_tree.ts";
import { isGfortranHere } from "../core/services/emissary/fortran/with_gfortran_test.ts";
import { readSources, type Source } from "./tidy/source.ts";

const ROOT = new URL("../", import.meta.url);
const RECORDS = "results/raw/mpi_call.jsonl";
const KERNEL = "scenarios/kernels/hello.wgsl";

/** Told, and not run, with the reason. */
const NOT_RUN: Readonly<Record<string, string>> = {
  "deno task test": "as long as this test itself; .ci/run runs it",
  "deno task check": "this test is a part of it",
  "deno test -A --no-check --lock=.ci/deno.lock PATH": "this test runs so",
  "deno run -A main.ts": "readme_test.ts runs it, beside a clone",
  "deno run -A kernel.ts": "readme_test.ts runs it, beside a clone",
  "deno task --config portlab/deno.json bench --scenario ./copy.ts":
    "readme_test.ts runs it, beside a clone",
  "deno run --allow-read main.ts": "readme_test.ts runs the same with all permissions",
  "deno task bench --against HEAD": "against_test.ts runs it, as a clean tree has no commits",
  "deno task bench --against HEAD~1": "against_test.ts runs it, as a clean tree has no commits",
  "deno task bench --against REF": "names no commit; against_test.ts runs it",
  'deno task bench --against HEAD~3 --scenario round_trip --filter "portCount=64;laneCount=1;waiting=spin+spin"':
    "against_test.ts runs the like, as a clean tree has no commits",
  "deno publish": "a decision of a person",
  "deno task pack": "pack_test.ts does what it does",
  "deno task site": "site_test.ts writes it",
  "deno run -A bench/peers/behaviours/main.ts": "cases_test.ts runs its cases",
  "deno run -A bench/cli/verdicts/main.ts": "takes minutes, and installs what it asks",
  "deno task bundle": "what earlier versions had in place of deno task pack",
  "deno publish --dry-run --allow-dirty": "publish_test.ts runs it",
  "deno doc --lint": "publish_test.ts runs it",
  "deno run -A https://HOST/core/linear/check.ts src main.ts": "names no host; check_test.ts",
  "deno bundle --external=source-map-support -o linear_lint.js --allow-import https://HOST/core/linear/lint.ts":
    "names no host",
  "deno bundle --format cjs": "the way to make a guest, which sandbox_test.ts does",
  "deno bench": "names the program",
  "deno bench --json": "names the program",
  "deno bench -A bench/deno_bench/lint_bench.ts -- 300": "takes minutes",
  "deno lint": "names the program",
  "deno lint --help": "a page of Deno",
};

/** What is run in place of what is told: with files for placeholders, and in seconds. */
const INSTEAD: Readonly<Record<string, string>> = {
  "deno task report": `deno task report ${RECORDS}`,
  "deno task report FILE": `deno task report ${RECORDS}`,
  "deno task report FILE...": `deno task report ${RECORDS} ${RECORDS}`,
  "deno task report --targets": `deno task report --targets ${RECORDS}`,
  "deno task report --targets FILE": `deno task report --targets ${RECORDS}`,
  "deno task compare": `deno task compare --fail-above 900% ${RECORDS} ${RECORDS}`,
  "deno task compare BEFORE AFTER": `deno task compare --fail-above 900% ${RECORDS} ${RECORDS}`,
  "deno task compare BEFORE.jsonl AFTER.jsonl":
    `deno task compare --fail-above 900% ${RECORDS} ${RECORDS}`,
  "deno task bench --scenario round_trip --rounds 10 --run-id monday":
    "deno task bench --scenario round_trip --quick --rounds 2 --run-id monday",
  "deno task compare --fail-above 5% results/raw/sunday.jsonl results/raw/monday.jsonl":
    `deno task compare --fail-above 900% ${RECORDS} ${RECORDS}`,
  "deno task serve": "deno task serve --help",
  "deno task serve --memory FILE --wire llvm": "deno task serve --help",
  "deno task serve --memory /dev/shm/calls --wire llvm --ports 16 --lanes 1":
    "deno task serve --help",
  "deno task deaths": "deno task deaths --rounds 2",
  "deno task c-header --api MODULE": "deno task c-header --api core/process/testdata/stub_api.ts",
  "deno task declare": "deno task declare --help",
  "deno task declare zlib.h --library libz.so.1 > zlib.ts": "deno task declare --help",
  // Of the records of this tree no point has runs enough.
  "deno task history": "deno task history results/raw || test $? = 3",
  "deno task history FOLDER": "deno task history --filter round_trip results/raw || test $? = 3",
  "deno task merge": `deno task merge --out merged.jsonl ${RECORDS}`,
  "deno task merge --out $HOME/sweeps/monday.jsonl $HOME/sweeps/raw":
    `mkdir sweeps && deno task merge --out sweeps/monday.jsonl ${RECORDS}`,
  "deno task bench --from $HOME/sweeps/monday.jsonl --out $HOME/sweeps":
    `deno task bench --from ${RECORDS} --out sweeps`,
  "deno task run": `deno task run ${KERNEL}`,
  "deno task run --live": `deno task run --live ${KERNEL}`,
  "deno task run FILE.wgsl": `deno task run ${KERNEL}`,
  "deno task run FILE.wgsl [--threads N] [--time] -- args":
    `deno task run ${KERNEL} --threads 2 --time -- args`,
  "deno task linear": "deno task linear core/linear/mod.ts",
  "deno task linear src": "deno task linear core/linear/mod.ts",
  "deno task wgsl": `deno task wgsl ${KERNEL}`,
  "deno task wgsl FILE": `deno task wgsl ${KERNEL}`,
  "deno task notebooks": "deno task notebooks notebooks/01_one_call.ipynb",
  "deno task notebooks --write": "deno task notebooks --write notebooks/01_one_call.ipynb",
  "deno task explore": "deno task explore 'call, 0 servers'",
  "deno task explore asked": "deno task explore 'call, 0 servers'",
  "deno task deno-bench": "deno task deno-bench --scenario ping_pong",
  "deno bench -A": "deno bench -A --no-run",
  "deno bench -A ../bench/deno_bench/scenarios_bench.ts -- ./copy_bytes.ts":
    "cd notebooks && deno bench -A --no-run ../bench/deno_bench/scenarios_bench.ts -- ./copy_bytes.ts",
};

/** What a page tells: in blocks of a shell, where it begins a line, and in spans of code. */
function commandsOf({ path, text }: Source): string[] {
  if (!/\.(md|ipynb)$/.test(path)) return [];
  const blocks = [...text.matchAll(/^```(?:sh|text)\n([^]*?)^```/gm)].flatMap(([, block]) =>
    block!.replaceAll(/\\\n\s*/g, "").split("\n")
  );
  const lines = blocks.map((line) => line.replace(/\s#\s.*|\s{2,}.*/, "").trim());
  const spans = [...text.matchAll(/`([^`\n]+)`/g)].map(([, span]) => span!);
  return [...lines, ...spans]
    .map((line) => line.replace(/^npx -y deno@[\d.]+/, "deno"))
    .filter((line) =>
      /^(deno (task|bench|run|test|doc|publish|bundle|lint)\b|mpiexec )/.test(line)
    );
}

function toldCommands(): Set<string> {
  const { tasks }: { readonly tasks: Readonly<Record<string, unknown>> } = JSON.parse(
    Deno.readTextFileSync(new URL("deno.json", ROOT)),
  );
  const named = Object.keys(tasks).map((name) => `deno task ${name}`);
  return new Set([...named, ...readSources(ROOT).flatMap(commandsOf)]);
}

const MUTANTS = /^deno task mutants ?/;

/** The line that shows that a command runs. */
function lineOf(command: string): string {
  if (command in INSTEAD) return INSTEAD[command]!;
  const line = command.replace(/ \.\/(mine|copy_bytes)\.ts/, " ./notebooks/copy_bytes.ts");
  // Takes hours, and some seconds to list: one run for all, whose options are read below.
  if (MUTANTS.test(line)) return "deno task mutants --list";
  if (!/^deno task bench(?!.*--dry-run)/.test(line)) return line;
  // registry_test.ts runs each scenario that has a name; one round is as good as minutes.
  return / --scenario \w+( |$)| --budget /.test(line) ? `${line} --dry-run` : `${line} --quick`;
}

/** Runs lines in a clean tree, one after the other. */
async function failuresOf(lines: Iterable<string>): Promise<string[]> {
  await using tree = new CleanTree();
  const failures: string[] = [];
  for (const line of lines) {
    const { code, text } = await tree.run(line);
    if (code !== 0) failures.push(`${line} ends with ${code}: ${text.slice(-2000)}`);
  }
  return failures;
}

/** A clone has git; a copy of its files has not. */
const hasGit = await Deno.stat(new URL(".git", ROOT)).then(() => true, () => false);
if (!hasGit) console.log("Skipping the commands of the pages: git does not know the tree");

function hasMpi(): boolean {
  try {
    return new Deno.Command("mpiexec", { args: ["--version"], stdout: "null" }).outputSync()
      .success;
  } catch {
    return false; // there is none: outputSync() itself throws
  }
}

/** Commands that need what a machine may lack. */
const NEEDS: readonly (readonly [command: RegExp, isHere: boolean, absence: string])[] = [
  [/^mpiexec /, hasMpi(), "mpiexec (install mpich)"],
  [/fortran\.wgsl/, isGfortranHere, "libgfortran (install libgfortran5)"],
];

Deno.test(
  "each task and each command of a page runs in a clean tree",
  { ignore: !hasGit },
  async () => {
    const absent = NEEDS.filter(([, isHere]) => !isHere);
    for (const [, , absence] of absent) console.log(`Skipping commands, as there is no ${absence}`);
    const commands = [...toldCommands()].filter((command) => !(command in NOT_RUN))
      .filter((command) => !absent.some(([needing]) => needing.test(command)));
    assertEquals(await failuresOf(new Set(commands.map(lineOf))), []);
  },
);

Deno.test("each task and each command of a page runs in a clean tree, or the check says so", {
  ignore: !hasGit,
}, async () => {
  const page = {
    path: "a.md",
    text: "`deno task nothing` and\n```sh\ndeno run \\\n  none.ts  # x\n```\n",
  };
  const commands = commandsOf(page);
  assertEquals(commands, ["deno run none.ts", "deno task nothing"]);
  const failures = await failuresOf(commands.map(lineOf));
  assertEquals(failures.map((text) => text.replace(/: [^]*/, "")).toSorted(), [
    "deno run none.ts ends with 1",
    "deno task nothing ends with 1",
  ]);
});

Deno.test("the mutants' options that a page tells are options", () => {
  const told = [...toldCommands()].filter((command) => MUTANTS.test(command));
  assertEquals(told.length > 3, true);
  for (const command of told) {
    const args = command.replace(MUTANTS, "").split(" ").filter((arg) => arg !== "");
    optionsOf(readCommand(args, COMMAND));
  }
  assertThrows(() => readCommand(["--wrong"], COMMAND), SyntaxError, "--wrong");
});

Deno.test("what is not run as it is told is told", () => {
  const told = toldCommands();
  assertEquals(
    [...Object.keys(NOT_RUN), ...Object.keys(INSTEAD)].filter((one) => !told.has(one)),
    [],
  );
});
