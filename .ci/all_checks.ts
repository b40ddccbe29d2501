// Runs every check of the project, goes on after a failure, and ends with one line of counts.
import { type Outcome, runStage, type Stage } from "./check.ts";

/** For a test that hangs; the whole run takes a fraction of it. */
const LIMIT_SECONDS = 1500;

/** Gives the tests of core/gpu an adapter where the machine has none. */
const PRELOAD = "--preload=bench/adapters/software_gpu.ts";

const STAGES: readonly Stage[] = [
  // deno.json leaves the notebooks out: `fmt --check` of Deno 2.9.6 reports every cell whose last line
  // has no line end, which is how `deno fmt` and Jupyter write them.
  { name: "format", args: ["fmt", "--check"], countsTests: false },
  { name: "lint", args: ["lint"], countsTests: false },
  { name: "types", args: ["check", "."], countsTests: false },
  {
    name: "examples",
    args: ["test", "--doc", "-A", PRELOAD, "--ignore=.ci,**/*_test.ts"],
    countsTests: true,
  },
  // The types are checked above; here one wrong type would keep every test from running.
  { name: "tests", args: ["test", "-A", PRELOAD, "--no-check"], countsTests: true },
];

function print(chunk: Uint8Array): void {
  for (let done = 0; done < chunk.length;) done += Deno.stdout.writeSync(chunk.subarray(done));
}

const outcomes: Outcome[] = [];
for (const stage of STAGES) {
  console.log(`\n== ${stage.name}: deno ${stage.args.join(" ")}`);
  outcomes.push(await runStage(stage, { limitSeconds: LIMIT_SECONDS, show: print }));
}

console.log("\n== summary");
for (const { name, passed, failed, seconds } of outcomes) {
  console.log(
    `${failed ? "FAILED" : "ok    "} ${name.padEnd(9)} ${passed} passed, ${failed} failed, ` +
      `${seconds.toFixed(1)} s`,
  );
}
function total(key: "passed" | "failed" | "skipped"): number {
  return outcomes.reduce((sum, outcome) => sum + outcome[key], 0);
}

const skipped = total("skipped") > 0 ? `, ${total("skipped")} skipped` : "";
console.log(`${total("passed")} passed, ${total("failed")} failed${skipped}`);
Deno.exitCode = total("failed") > 0 ? 1 : 0;
