// Runs every check of the project, goes on after a failure, and ends with one line of counts.
import { type Check, type CheckReport, runCheck, runChecks } from "./check.ts";

/** For a test that hangs; the whole run takes a fraction of it. */
const LIMIT_SECONDS = 1500;

/** Gives the tests of core/gpu an adapter where the machine has none. */
const PRELOAD = "--preload=bench/adapters/software_gpu.ts";

/** The explorations of every interleaving: most of the work, and nothing but computation. */
const MODELS: readonly string[] = ["explorer", "model", "packet_model", "ring_model", "line_model"]
  .map((folder) => `core/testing/${folder}`);

/**
 * Tests that do not care what else the machine does: they compute in one thread, or start a process
 * and wait for its end. A folder that is not listed here is tested alone, so that a new one is safe.
 *
 * The others stay alone, one file after another: threads that wait for each other by spinning
 * (conformance on Deno, Node and Chromium, scenarios, bench), figures that are measured (bench: heap, placement, sweeps), a
 * software adapter that uses every core (core/gpu), and kernels whose late outputs are awaited for a
 * fixed time (notebooks).
 */
const UNITS: readonly string[] = [
  ".ci",
  "core/linear",
  "core/memory",
  "core/text",
  "core/toggle",
  "results",
  "tidy_test.ts",
];

/** Run side by side, the longest first. Types are checked once: the tests need no second look. */
const TOGETHER: readonly Check[] = [
  {
    name: "models",
    args: ["test", "-A", "--no-check", "--parallel", ...MODELS],
    countsTests: true,
  },
  {
    name: "examples",
    args: ["test", "--doc", "-A", PRELOAD, "--ignore=.ci,**/*_test.ts"],
    countsTests: true,
  },
  { name: "types", args: ["check", "."], countsTests: false },
  {
    name: "units",
    args: ["test", "-A", "--no-check", "--parallel", ...UNITS],
    countsTests: true,
  },
  { name: "lint", args: ["lint"], countsTests: false },
  // deno.json leaves the notebooks out: `fmt --check` of Deno 2.9.6 reports every cell whose last line
  // has no line end, which is how `deno fmt` and Jupyter write them.
  { name: "format", args: ["fmt", "--check"], countsTests: false },
];

/** Every test that is not listed above. */
const ALONE: Check = {
  name: "tests",
  args: ["test", "-A", PRELOAD, "--no-check", `--ignore=${[...MODELS, ...UNITS].join(",")}`],
  countsTests: true,
};

function print(chunk: Uint8Array): void {
  for (let done = 0; done < chunk.length;) done += Deno.stdout.writeSync(chunk.subarray(done));
}

const options = { limitSeconds: LIMIT_SECONDS, show: print };
console.log(`Running side by side: ${TOGETHER.map(({ name }) => name).join(", ")}`);
const reports: readonly CheckReport[] = [
  ...await runChecks(TOGETHER, { ...options, jobCount: navigator.hardwareConcurrency }),
  await runCheck(ALONE, options),
];

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
