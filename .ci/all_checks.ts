// Runs every check of the project, goes on after a failure, and ends with one line of counts.
import { runCommand } from "../bench/cli/options/command_options.ts";
import { type Check, type CheckReport, runChecks } from "./check.ts";
import { listPaths } from "./tidy/source.ts";

let isAsked = false;
let isRelease = false;
const status = await runCommand({
  usage: ["deno task test", "deno task check"],
  does:
    `Runs the checks that say whether the project works on this machine: format, lint, types, examples,
tests. With --release, as \`deno task check\` is, those that say whether a release is sound.`,
  options: {
    release: { help: "what takes long, needs more packages, or concerns maintainers alone" },
  },
  ends:
    `It ends with 0, and with 1 when a check failed; the last line counts them. Some tests alone:
deno test -A --no-check --lock=.ci/deno.lock PATH`,
}, ({ given: { release } }) => {
  isAsked = true;
  isRelease = release;
});
if (!isAsked) Deno.exit(status);

/** For a test that hangs; the whole run takes a fraction of it. */
const LIMIT_SECONDS = 1500;

const ROOT = new URL("../", import.meta.url);
const LOCK = "--lock=.ci/deno.lock";
const folder = Deno.makeTempDirSync();

/** What says of a release that it is sound, and of a machine nothing: `deno task check` alone runs it. */
const OF_RELEASE: readonly string[] = [
  // Every command of every page and every task, in a clean tree.
  ".ci/commands_test.ts",
  // What is published: packages of npm in fresh projects, of JSR by a dry run, the site.
  ...[".ci/pack_test.ts", ".ci/publish_test.ts", ".ci/site"],
  // Programs for maintainers.
  ...[".ci/mutants", ".ci/vulkan", "bench/slurm", "bench/peers", "bench/deno_bench"],
  // Long sweeps: two commits, kills, shards, a scenario by its address.
  ...["bench/cli/against", "bench/cli/kill_test.ts", "bench/cli/outside_scenario_test.ts"],
  // Kernels that the host serves while they run: live_check_test.ts and core/gpu/program have some.
  ...["core/gpu/live", "core/testing/gpu/live_conformance_test.ts"],
  ...["core/testing/gpu/live_long_run_test.ts", "scenarios/live", "scenarios/gpu"],
  // Hostile guests, and a wall that they try: the sandbox' own tests remain.
  ...[
    "core/services/sandbox/guest_process_test.ts",
    "core/services/sandbox/break_out_channel_test.ts",
  ],
  // Programs in WGSL as processes, with files, signals and libraries: those within a process remain.
  ...["bench/cli/run", "scenarios/kernels"],
  // Every design of a channel, and every protocol, with real workers: the default and the models remain.
  ...["core/testing/conformance/designs_test.ts", "core/testing/family/family_workers_test.ts"],
  "core/testing/gpu/one_dispatch_conformance_test.ts",
  // Waves as clients and servers of one dispatch, and the one page in a browser: the conformance suites remain.
  ...["core/gpu/one_dispatch", "core/testing/one_page/page_conformance_test.ts"],
  // The explorer itself, whether it leaves out nothing, and the models of waves.
  ...["core/testing/explorer", "core/testing/model/reduction_test.ts", "core/testing/live_model"],
  // A package of 140 MB, for one page.
  "results/export/parquet_test.ts",
  // Whole notebooks, and reports opened, sorted and printed in a browser.
  ...["notebooks/notebooks_test.ts", "notebooks/runner", "results/report/page"],
];

/**
 * What a release has in all cases, or with libraries and programs that a machine may lack: `deno task test`
 * runs it without.
 */
const AGAIN_FOR_RELEASE: readonly string[] = [
  ...["model", "packet_model", "ring_model", "line_model", "one_page"]
    .map((folder) => `core/testing/${folder}`),
  ...["core/testing/conformance/runtimes", "core/gpu/kernel/corpus_test.ts"],
  "scenarios/registry_test.ts",
  // MPI, HDF5, libgfortran, SQLite.
  ...["core/services/emissary", "core/services/library", "scenarios/host"],
];

const TEST_FILES = listPaths(ROOT).filter((path) => path.endsWith("_test.ts"))
  .filter((path) => {
    const isOfRelease = isIn(path, OF_RELEASE);
    return isRelease ? isOfRelease || isIn(path, AGAIN_FOR_RELEASE) : !isOfRelease;
  });

/** Gives the tests of core/gpu an adapter where the machine has none. */
const PRELOAD = "--preload=bench/adapters/software_gpu.ts";

/** The explorations of every interleaving: nothing but computation. */
const MODELS: readonly string[] = [
  ...["explorer", "model", "live_model", "packet_model", "ring_model", "line_model"]
    .map((folder) => `core/testing/${folder}`),
  "core/testing/one_page/one_page_model_test.ts",
];

/**
 * Kernels in one dispatch after the other: what serves them is on the thread that waits for them, and
 * nearly all of the time goes to the driver's compiler. A process of their own, one file after another,
 * as two files at once would share the driver.
 */
const KERNELS: readonly string[] = [
  ...[
    "device",
    "epochs",
    "heap",
    "kernel",
    "print",
    "program",
    "run",
    "text",
    "wgsl",
  ]
    .map((folder) => `core/gpu/${folder}`),
  "core/signature/wgsl",
  "scenarios/kernels",
];

/** The lab's programs, each in a process, which is asked for what it wrote and not for how fast it was. */
const PROGRAMS: readonly string[] = [
  "bench/adapters",
  "bench/cli",
  "bench/deno_bench",
  "bench/record",
  "bench/slurm",
];

/** What computes in one thread, or starts a process and waits for its end. */
const UNITS: readonly string[] = [
  ".ci",
  "core/command_ring",
  "core/four_phase",
  "core/gwht",
  "core/linear",
  "core/memory",
  "core/one_packet",
  "core/packet_stacks",
  "core/services/files",
  "core/services/stdio",
  "core/signature/client",
  "core/signature/declare",
  "core/signature/wire",
  "core/testing/channel",
  "core/text",
  "core/toggle",
  "results",
  "tidy_test.ts",
];

/** Runs programs, one after the other, for minutes. */
const COMMANDS: readonly string[] = [".ci/commands_test.ts"];

/** Needs a package that no lock file has. */
const OUTSIDE_LOCK: readonly string[] = ["results/export/parquet_test.ts"];

/** What of the units is a check of its own. */
const APART: readonly string[] = [...COMMANDS, ...OUTSIDE_LOCK];

/** What only Mesa's driver does, which the preload would hide. */
const OTHER_DRIVER: readonly string[] = ["core/gpu/live/rounds"];

/**
 * A check of tests: of all files as one module, as each file of its own would load what it shares with
 * hundreds of others again, and ask for a GPU again, which took as long as the tests of most.
 * Types are checked once, by themselves: the tests need no second look.
 */
function tests(name: string, files: readonly string[], ...args: readonly string[]): Check[] {
  if (files.length === 0) return [];
  const imports = files.map((path) => `import ${JSON.stringify(new URL(path, ROOT).href)};\n`);
  const module = `${folder}/${name}_test.ts`;
  Deno.writeTextFileSync(module, imports.join(""));
  const lock = args.includes("--no-lock") ? [] : [LOCK];
  const options = ["-A", "--no-check", "--config=deno.json", ...lock, ...args];
  return [{ name, args: ["test", ...options, module], countsTests: true }];
}

function isIn(path: string, places: readonly string[]): boolean {
  return places.some((place) => path === place || path.startsWith(`${place}/`));
}

function filesIn(places: readonly string[]): string[] {
  return TEST_FILES.filter((path) => isIn(path, places));
}

/** What the texts of the tree have to be. */
const OF_TEXT: readonly Check[] = [
  {
    name: "examples",
    args: ["test", "--doc", "-A", "--no-check", LOCK, PRELOAD, "--ignore=.ci,dist,**/*_test.ts"],
    countsTests: true,
  },
  // The examples, too: their types are checked with those of the modules, once.
  { name: "types", args: ["check", LOCK, "--doc", "."], countsTests: false },
  { name: "lint", args: ["lint"], countsTests: false },
  // Not by the plug-in of `deno lint`, which would read all that each file imports for itself.
  { name: "ports", args: ["run", "-A", LOCK, "core/linear/check.ts"], countsTests: false },
  // deno.json leaves the notebooks out: `fmt --check` of Deno 2.9.6 reports every cell whose last line
  // has no line end, which is how `deno fmt` and Jupyter write them.
  { name: "format", args: ["fmt", "--check"], countsTests: false },
];

/**
 * What only computes, or waits for programs. It is run beside all that follows and gives way to it: nothing
 * else uses the time of a test that waits, and a test whose threads spin must not be held up.
 */
const BESIDE: readonly Check[] = [
  ...tests("units", filesIn(UNITS).filter((path) => !isIn(path, APART))),
  ...tests("models", filesIn(MODELS)),
  ...tests("duckdb", filesIn(OUTSIDE_LOCK), "--no-lock"),
  ...isRelease ? [] : OF_TEXT,
].map((check) => ({ ...check, givesWay: true }));

/**
 * Tests that do not care what else the machine does. A folder that is in none of the lists above is tested
 * alone, so that a new one is safe.
 *
 * None of them `--parallel`: with two threads for each processor the kernels took two to three times as long.
 */
const TOGETHER: readonly Check[] = [
  ...tests("kernels", filesIn(KERNELS), PRELOAD),
  ...tests("programs", filesIn(PROGRAMS), PRELOAD),
  ...tests("commands", filesIn(COMMANDS)),
];

/**
 * Every other test, one file after another: threads that wait for each other by spinning (conformance on
 * Deno, Node and Chromium, connections, workers, MPI, waves in one dispatch, scenarios), figures that are
 * measured (bench: heap, placement, sweeps), and notebooks, whose kernels' late outputs are awaited for a
 * fixed time.
 */
const LISTED = filesIn([MODELS, KERNELS, PROGRAMS, UNITS, OTHER_DRIVER].flat());
const ALONE: readonly Check[] = [
  ...tests("alone", TEST_FILES.filter((path) => !LISTED.includes(path)), PRELOAD),
  ...tests("llvmpipe", filesIn(OTHER_DRIVER)),
];

/** What the main command downloads: whatever a test runs with other packages must say where they are pinned. */
const LOCK_FILE = new URL("deno.lock", ROOT);
const lockBefore = Deno.readTextFileSync(LOCK_FILE);

function print(chunk: Uint8Array): void {
  for (let done = 0; done < chunk.length;) done += Deno.stdout.writeSync(chunk.subarray(done));
}

// What tests of a release have more of: core/testing/thorough.ts.
if (isRelease) Deno.env.set("PORTLAB_TESTS", "all");

const options = { limitSeconds: LIMIT_SECONDS, show: print };
const laneCount = Math.max(1, Math.floor(navigator.hardwareConcurrency / 2));
console.log(`Running side by side: ${[...TOGETHER, ...BESIDE].map(({ name }) => name).join(", ")}`);
const waiting = BESIDE.values();
const beside = runChecks(waiting, { ...options, jobCount: laneCount });
const reports: readonly CheckReport[] = [
  ...await runChecks(TOGETHER, { ...options, jobCount: laneCount }),
  ...await runChecks(ALONE, { ...options, jobCount: 1 }),
  // What they have left is for all processors.
  ...await runChecks(waiting, { ...options, jobCount: laneCount }),
  ...await beside,
];
Deno.removeSync(folder, { recursive: true });
// Programs of a release load packages of others; those of the tests name the lock file that has what they load.
const isLockAsBefore = isRelease || Deno.readTextFileSync(LOCK_FILE) === lockBefore;
Deno.writeTextFileSync(LOCK_FILE, lockBefore);

for (const { name, failure } of reports) {
  if (failure !== undefined) console.log(`\n== failed in ${name}\n${failure}`);
}
console.log("\n== summary");
for (const { name, passed, failed, seconds } of reports) {
  console.log(
    `${failed ? "FAILED" : "ok    "} ${name.padEnd(9)} ${passed} passed, ${failed} failed, ` +
      `${seconds.toFixed(1)} s`,
  );
}
if (!isLockAsBefore) {
  console.log("FAILED deno.lock: a test has added packages; git diff shows which");
}
function total(key: "passed" | "failed" | "skipped"): number {
  const own = { passed: Number(isLockAsBefore), failed: Number(!isLockAsBefore), skipped: 0 };
  return reports.reduce((sum, report) => sum + report[key], own[key]);
}

const skipped = total("skipped") > 0 ? `, ${total("skipped")} skipped` : "";
console.log(`${total("passed")} passed, ${total("failed")} failed${skipped}`);
Deno.exitCode = total("failed") > 0 ? 1 : 0;
