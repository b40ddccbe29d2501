import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { getPriority } from "node:os";
import { type Check, countsFrom, runCheck, runChecks, verdict } from "./check.ts";
import { ScratchFolder } from "../core/testing/fixtures/scratch_folder.ts";

const QUIET = { limitSeconds: 60, show: () => {} };

/** A check whose program ends as told. */
function check(code: string): Check {
  return { name: "check", args: ["eval", code], countsTests: false };
}

/** A check of the tests in one module, which exists for this check only. */
async function reportOf(module: string) {
  const file = await Deno.makeTempFile({ suffix: "_test.ts" });
  try {
    await Deno.writeTextFile(file, module);
    const args = ["test", "--no-config", "--no-check", file];
    return await runCheck({ name: "tests", args, countsTests: true }, QUIET);
  } finally {
    await Deno.remove(file);
  }
}

async function outcomeOf(module: string) {
  const { passed, failed, skipped } = await reportOf(module);
  return { passed, failed, skipped };
}

Deno.test("countsFrom() reads the last line of counts", () => {
  const text =
    "ok | 1 passed | 0 failed (2ms)\n\nFAILED | 12 passed (3 steps) | 2 failed | 4 ignored (1s)\n";
  assertEquals(countsFrom(text), { passed: 12, failed: 2, skipped: 4 });
  assertEquals(countsFrom("error: nothing ran"), undefined);
});

Deno.test("runCheck() has a check that gives way run behind all others", async () => {
  const has = (priority: number) =>
    check(`Deno.exit((await import("node:os")).getPriority() === ${priority} ? 0 : 1)`);
  // This test may give way itself.
  const own = getPriority();
  assertEquals((await runCheck({ ...has(19), givesWay: true }, QUIET)).passed, 1);
  assertEquals((await runCheck(has(own), QUIET)).passed, 1);
  assertEquals((await runCheck(has(own - 1), QUIET)).passed, 0);
});

Deno.test("verdict() never calls a failed command a success", () => {
  const clean = { passed: 3, failed: 0, skipped: 0 };
  assertEquals(verdict({ countsTests: true }, 1, clean).failed, 1);
  assertEquals(verdict({ countsTests: true }, 0, undefined).failed, 1);
  assertEquals(verdict({ countsTests: true }, 0, clean), clean);
});

Deno.test("runCheck() counts a check as one, passed or failed", async () => {
  const good = await runCheck(check("0"), QUIET);
  const bad = await runCheck(check("Deno.exit(3)"), QUIET);
  assertEquals([good.passed, good.failed], [1, 0]);
  assertEquals([bad.passed, bad.failed], [0, 1]);
});

Deno.test("runCheck() stops a check that hangs and counts it as failed", async () => {
  const hanging = check("await new Promise((done) => setTimeout(done, 1e6))");
  let shown = "";
  const show = (chunk: Uint8Array) => {
    shown += new TextDecoder().decode(chunk);
  };
  const { passed, failed } = await runCheck(hanging, { limitSeconds: 1, show });
  assertEquals([passed, failed], [0, 1]);
  assertStringIncludes(shown, "Stopped by SIGKILL");
});

Deno.test("runCheck() repeats at the end what failed, and why", async () => {
  const module = 'Deno.test("bad", () => { throw new Error("the reason"); });\n';
  const { failure } = await reportOf(module);
  assertMatch(failure ?? "", /^ERRORS[^]*bad => [^]*the reason[^]*FAILURES/);
  const command = await runCheck(check('throw new Error("not a test")'), QUIET);
  assertMatch(command.failure ?? "", /not a test/);
  assertEquals((await runCheck(check("0"), QUIET)).failure, undefined);
});

Deno.test("runCheck() counts tests, and a module that does not load", async () => {
  const module = 'Deno.test("good", () => {});\nDeno.test.ignore("later", () => {});\n';
  assertEquals(await outcomeOf(module), { passed: 1, failed: 0, skipped: 1 });
  assertEquals((await outcomeOf('throw new Error("on load");')).failed, 1);
});

/** A check that ends when all of `others` have begun, and leaves a file while it runs. */
function meeting(folder: string, name: string, others: readonly string[]): Check {
  const code = `
    const path = (name) => ${JSON.stringify(folder)} + "/" + name;
    const running = () => [...Deno.readDirSync(path(""))].filter(({ name }) => name.endsWith("_runs"));
    console.log("${name} begins");
    Deno.writeTextFileSync(path("${name}"), "");
    Deno.writeTextFileSync(path("${name}_runs"), "");
    if (running().length > 2) Deno.exit(1);
    const isThere = (name) => [...Deno.readDirSync(path(""))].some((entry) => entry.name === name);
    while (!${
    JSON.stringify(others)
  }.every(isThere)) await new Promise((done) => setTimeout(done, 5));
    Deno.removeSync(path("${name}_runs"));
    console.log("${name} ends");
  `;
  return { ...check(code), name };
}

Deno.test("runChecks() runs as many at a time as told, and shows each output in one piece", async () => {
  using scratch = new ScratchFolder();
  const folder = scratch.path;
  let shown = "";
  const show = (chunk: Uint8Array) => {
    shown += new TextDecoder().decode(chunk);
  };
  const checks = [
    meeting(folder, "first", ["second", "third"]),
    meeting(folder, "second", ["first"]),
    meeting(folder, "third", ["first", "second"]),
  ];
  const reports = await runChecks(checks, { limitSeconds: 20, show, jobCount: 2 });
  assertEquals(reports.map(({ name }) => name), ["first", "second", "third"]);
  assertEquals(reports.map(({ passed }) => passed), [1, 1, 1], shown);
  for (const { name } of checks) assertMatch(shown, new RegExp(`${name} begins\n${name} ends`));
});

Deno.test("runChecks() leaves what another run of the same iterator has taken", async () => {
  const waiting = ["a", "b", "c"].map((name) => ({ ...check(""), name })).values();
  const runs = await Promise.all(
    [1, 1].map((jobCount) => runChecks(waiting, { ...QUIET, jobCount })),
  );
  assertEquals(runs.map(({ length }) => length).toSorted(), [1, 2]);
  assertEquals(runs.flat().map(({ name }) => name).toSorted(), ["a", "b", "c"]);
});
