// Runs every check of the project, goes on after a failure, and ends with one line of counts.
import { runCommand } from "../bench/cli/options/command_options.ts";
import { type Check, type CheckReport, runChecks } from "./check.ts";
import { listPaths } from "./tidy/source.ts";

let isAsked = false;
const status = await runCommand({
  usage: ["deno task test"],
  does: "Runs every check of the project: format, lint, types, documentation examples, all tests.",
  options: {},
  ends:
    `It ends with 0, and with 1 when a check failed; the last line counts them. Some tests alone:
deno test -A --no-check PATH`,
}, () => {
  isAsked = true;
});
if (!isAsked) Deno.exit(status);

/** For a test that hangs; the whole run takes a fraction of it. */
const LIMIT_SECONDS = 1500;

const ROOT = new URL("../", import.meta.url);
const folder = Deno.makeTempDirSync();
const TEST_FILES = listPaths(ROOT).filter((path) => path.endsWith("_test.ts"));

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
    "compile",
    "debug",
    "device",
    "epochs",
    "heap",
    "printf",
    "program",
    "resumable",
    "run",
    "syntax",
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

/** What only Mesa's driver does, which the preload would hide. */
const OTHER_DRIVER: readonly string[] = ["core/gpu/live/rounds"];

/**
 * A check of tests: of all files as one module, as each file of its own would load what it shares with
 * hundreds of others again, and ask for a GPU again, which took as long as the tests of most.
 * Types are checked once, by themselves: the tests need no second look.
 */
function tests(name: string, files: readonly string[], ...args: readonly string[]): Check {
  const imports = files.map((path) => `import ${JSON.stringify(new URL(path, ROOT).href)};\n`);
  const module = `${folder}/${name}_test.ts`;
  Deno.writeTextFileSync(module, imports.join(""));
  const options = ["-A", "--no-check", "--config=deno.json", ...args];
  return { name, args: ["test", ...options, module], countsTests: true };
}

function filesIn(places: readonly string[]): string[] {
  return TEST_FILES.filter((path) =>
    places.some((place) => path === place || path.startsWith(`${place}/`))
  );
}

/**
 * What only computes, or waits for programs. It is run beside all that follows and gives way to it: nothing
 * else uses the time of a test that waits, and a test whose threads spin must not be held up.
 */
const BESIDE: readonly Check[] = [
  tests("units", filesIn(UNITS)),
  tests("models", filesIn(MODELS)),
  {
    name: "examples",
    args: ["test", "--doc", "-A", PRELOAD, "--ignore=.ci,dist,**/*_test.ts"],
    countsTests: true,
  },
  { name: "types", args: ["check", "."], countsTests: false },
  { name: "lint", args: ["lint"], countsTests: false },
  // Not by the plug-in of `deno lint`, which would read all that each file imports for itself.
  { name: "ports", args: ["run", "-A", "core/linear/check.ts"], countsTests: false },
  // deno.json leaves the notebooks out: `fmt --check` of Deno 2.9.6 reports every cell whose last line
  // has no line end, which is how `deno fmt` and Jupyter write them.
  { name: "format", args: ["fmt", "--check"], countsTests: false },
].map((check) => ({ ...check, givesWay: true }));

/**
 * Tests that do not care what else the machine does. A folder that is in none of the lists above is tested
 * alone, so that a new one is safe.
 *
 * None of them `--parallel`: with two threads for each processor the kernels took two to three times as long.
 */
const TOGETHER: readonly Check[] = [
  tests("kernels", filesIn(KERNELS), PRELOAD),
  tests("programs", filesIn(PROGRAMS), PRELOAD),
];

/**
 * Every other test, one file after another: threads that wait for each other by spinning (conformance on
 * Deno, Node and Chromium, connections, workers, MPI, waves in one dispatch, scenarios), figures that are
 * measured (bench: heap, placement, sweeps), and notebooks, whose kernels' late outputs are awaited for a
 * fixed time.
 */
const LISTED = filesIn([MODELS, KERNELS, PROGRAMS, UNITS, OTHER_DRIVER].flat());
const ALONE: readonly Check[] = [
  tests("alone", TEST_FILES.filter((path) => !LISTED.includes(path)), PRELOAD),
  tests("llvmpipe", filesIn(OTHER_DRIVER)),
];

function print(chunk: Uint8Array): void {
  for (let done = 0; done < chunk.length;) done += Deno.stdout.writeSync(chunk.subarray(done));
}

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
function total(key: "passed" | "failed" | "skipped"): number {
  return reports.reduce((sum, report) => sum + report[key], 0);
}

const skipped = total("skipped") > 0 ? `, ${total("skipped")} skipped` : "";
console.log(`${total("passed")} passed, ${total("failed")} failed${skipped}`);
Deno.exitCode = total("failed") > 0 ? 1 : 0;
