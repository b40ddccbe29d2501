import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { sampleRecord } from "../record/testdata/sample_record.ts";
import type { Difference } from "../../results/statistics/compare.ts";
import { COMMAND, exitCode, optionsOf } from "./compare.ts";
import { readCommand } from "./options/command_options.ts";
import { endedModule } from "../machine/ended.ts";

function parse(...args: readonly string[]) {
  return optionsOf(readCommand(args, COMMAND));
}

/** A file of five rounds that take `factor` times as long as the sample. */
async function fileOf(factor: number): Promise<string> {
  const path = await Deno.makeTempFile({ suffix: ".jsonl" });
  const lines = [0, 1, 2, 3, 4].map((round) =>
    JSON.stringify({
      ...sampleRecord,
      round,
      latencySeconds: sampleRecord.latencySeconds.map((seconds) => seconds * factor),
    })
  );
  await Deno.writeTextFile(path, lines.join("\n") + "\n");
  return path;
}

function compare(...args: string[]) {
  return endedModule(new URL("./compare.ts", import.meta.url), ...args);
}

Deno.test("compare.ts says by its exit code whether a point became slower by more than it may", async () => {
  const [before, after] = [await fileOf(1), await fileOf(1.2)];
  const slower = await compare("--fail-above", "5%", before, after);
  assertEquals(slower.code, 1);
  assertStringIncludes(slower.out, "slower");
  assertStringIncludes(slower.error, "Next: see where, deno task report");
  for (const path of [before, after]) await Deno.remove(path);
});

Deno.test("exitCode() goes by the ends of the intervals", () => {
  const code = (verdict: Difference, [lo, hi]: readonly [number, number], failAbove = 0) =>
    exitCode(
      [{ verdict, ratio: { center: 1, lo, hi, confidence: 0.98, warnings: [] } }],
      failAbove,
    );
  assertEquals(code("slower", [1.06, 1.3]), 1);
  assertEquals(code("slower", [1.06, 1.3], 0.05), 1);
  assertEquals(code("slower", [1.06, 1.3], 0.1), 3);
  assertEquals(code("slower", [1.06, 1.3], 0.4), 0);
  assertEquals([code("same", [0.99, 1.01]), code("faster", [0.8, 0.9])], [0, 0]);
  assertEquals([code("undecided", [0.9, 1.2]), code("undecided", [0.9, 1.2], 0.25)], [3, 0]);
});

Deno.test("compare.ts names what it cannot read", async () => {
  const { code, error } = await compare("nowhere.jsonl", "nowhere.jsonl");
  assertEquals(code, 2);
  assertStringIncludes(error, "no such file or folder: current value is nowhere.jsonl");
});

Deno.test("optionsOf() takes a baseline by its name, and shares in percent", () => {
  const options = parse("--baseline", "calls", "new.jsonl", "--confidence", "99%");
  assertEquals([options.before, options.after], ["results/raw/calls.jsonl", "new.jsonl"]);
  assertEquals([options.confidence, options.failAbove, options.format], [0.99, 0, "text"]);
});

Deno.test("optionsOf() refuses what it does not know, by its name", () => {
  const refused = [
    [["a"], "there are 1"],
    [["a", "b", "--fast"], "has no option --fast"],
    [["a", "b", "--fail-abov", "5%"], 'the nearest is "--fail-above"'],
    [["a", "b", "--fail-above", "5"], 'such as 5%, at least 0%: current value is "5"'],
    [["a", "b", "--confidence", "100%"], "at least 50% and less than 100%"],
    [["a", "b", "--format", "xml"], 'there is no "xml": it takes text, markdown, json'],
  ] as const;
  for (const [args, message] of refused) {
    assertThrows(() => parse(...args), SyntaxError, message);
  }
});
