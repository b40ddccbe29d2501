import { assertEquals } from "@std/assert";
import { Equivalents } from "./equivalents.ts";
import { mutantId } from "./edits/mutation.ts";
import { countsOf, report, score } from "./report.ts";
import { readResults, type Result, writeResults } from "./results.ts";

function result(from: string, verdict: Result["verdict"], file = "core/a.ts"): Result {
  const key = { file, operator: "constant", scope: "f", from, to: "b", ordinal: 0 } as const;
  return { ...key, line: 1, verdict, by: "" };
}

const results = [
  result("one", "killed"),
  result("two", "survived"),
  result("three", "survived"),
  result("four", "refused"),
];
const { verdict: _, by: __, line: ___, ordinal: ____, ...key } = results[2]!;
const equivalents = new Equivalents([{ ...key, reason: "nobody can see it" }]);

Deno.test("readResults() reads what was written; the later line of a mutant counts", () => {
  const again = { ...results[1]!, verdict: "killed" as const };
  const text = writeResults(results) + writeResults([again]);
  assertEquals(readResults(text).get(mutantId(again)), again);
  assertEquals(readResults(text).size, 4);
});

Deno.test("readResults() passes over a line that a killed run did not end", () => {
  const text = writeResults(results);
  assertEquals(readResults(text.slice(0, -5)).size, 3);
});

Deno.test("the score counts what can be noticed", () => {
  const counts = countsOf(results, equivalents);
  assertEquals(counts, { judged: 4, refused: 1, killed: 1, equivalent: 1, survived: 1 });
  assertEquals(score(counts), 0.5);
  assertEquals(score({ killed: 0, survived: 0 }), 1);
});

Deno.test("report() lists what is left, by its text", () => {
  const lines = report([...results, result("five", "killed", "core/b.wgsl")], equivalents).split(
    "\n",
  );
  assertEquals(lines.filter((line) => /^\*\*/.test(line)).map((line) => line.slice(0, 12)), [
    "**50.0 %** o",
    "**100.0 %** ",
  ]);
  assertEquals(lines.filter((line) => line.startsWith("  - ")), ["  - two"]);
});

Deno.test("Equivalents.withoutMutant() finds reasons for what is not there any more", () => {
  assertEquals(equivalents.withoutMutant(results), []);
  assertEquals(equivalents.withoutMutant(results.slice(0, 2)).map(({ from }) => from), ["three"]);
});
