import { assertEquals, assertStringIncludes } from "@std/assert";
import { countsFrom, runStage, verdict } from "./check.ts";

const QUIET = { limitSeconds: 60, show: () => {} };

/** A check whose program ends as told. */
function check(code: string): Parameters<typeof runStage>[0] {
  return { name: "check", args: ["eval", code], countsTests: false };
}

/** A test stage over one module that exists for this stage only. */
async function outcomeOf(module: string) {
  const file = await Deno.makeTempFile({ suffix: "_test.ts" });
  try {
    await Deno.writeTextFile(file, module);
    const args = ["test", "--no-config", "--no-check", file];
    const { passed, failed, skipped } = await runStage(
      { name: "tests", args, countsTests: true },
      QUIET,
    );
    return { passed, failed, skipped };
  } finally {
    await Deno.remove(file);
  }
}

Deno.test("countsFrom() reads the last line of counts", () => {
  const text =
    "ok | 1 passed | 0 failed (2ms)\n\nFAILED | 12 passed (3 steps) | 2 failed | 4 ignored (1s)\n";
  assertEquals(countsFrom(text), { passed: 12, failed: 2, skipped: 4 });
  assertEquals(countsFrom("error: nothing ran"), undefined);
});

Deno.test("verdict() never calls a failed command a success", () => {
  const clean = { passed: 3, failed: 0, skipped: 0 };
  assertEquals(verdict({ countsTests: true }, 1, clean).failed, 1);
  assertEquals(verdict({ countsTests: true }, 0, undefined).failed, 1);
  assertEquals(verdict({ countsTests: true }, 0, clean), clean);
});

Deno.test("runStage() counts a check as one, passed or failed", async () => {
  const good = await runStage(check("0"), QUIET);
  const bad = await runStage(check("Deno.exit(3)"), QUIET);
  assertEquals([good.passed, good.failed], [1, 0]);
  assertEquals([bad.passed, bad.failed], [0, 1]);
});

Deno.test("runStage() stops a stage that hangs and counts it as failed", async () => {
  const hanging = check("await new Promise((done) => setTimeout(done, 1e6))");
  let shown = "";
  const show = (chunk: Uint8Array) => {
    shown += new TextDecoder().decode(chunk);
  };
  const { passed, failed } = await runStage(hanging, { limitSeconds: 1, show });
  assertEquals([passed, failed], [0, 1]);
  assertStringIncludes(shown, "Stopped by SIGKILL");
});

Deno.test("runStage() counts tests, and a module that does not load", async () => {
  const module = 'Deno.test("good", () => {});\nDeno.test.ignore("later", () => {});\n';
  assertEquals(await outcomeOf(module), { passed: 1, failed: 0, skipped: 1 });
  assertEquals((await outcomeOf('throw new Error("on load");')).failed, 1);
});
