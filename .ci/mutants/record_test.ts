import { assertEquals } from "@std/assert";
import { type Mutant, mutantId } from "./edits/mutation.ts";
import { Equivalents } from "./equivalents.ts";
import { added, pageOf, readEquivalents, readRecord, staleKeys } from "./record.ts";
import { intervalOf, rateText } from "./report.ts";
import { readResults, type Result } from "./results.ts";
import { TestPlan } from "./test_plan.ts";
import { listChanged, listPaths, roomOf, ROOT } from "./tree.ts";

Deno.test("docs/mutants.md says what the record holds", async () => {
  const page = await Deno.readTextFile(`${ROOT}docs/mutants.md`);
  assertEquals(page, pageOf(page, readRecord()));
});

Deno.test("each change on record can be made in the tree as it is", () => {
  assertEquals(staleKeys(), []);
});

Deno.test("no change is on record as one that makes no difference and as one that is left", () => {
  const equivalents = new Equivalents(readEquivalents());
  assertEquals(readRecord().survivors.filter((key) => equivalents.reasonOf(key)), []);
});

function result(from: string, verdict: Result["verdict"], file = "core/wait/a.ts"): Result {
  const key = { file, operator: "constant", scope: "f", from, to: "b", ordinal: 0 } as const;
  return { ...key, line: 1, verdict, by: "" };
}

function linesOf(results: readonly Result[]): string {
  return results.map((one) => `${JSON.stringify(one)}\n`).join("");
}

const LINES = linesOf([
  result("one", "killed"),
  result("two", "survived"),
  result("three", "survived"),
  result("same", "survived", "core/call/b.ts"),
  result("two", "killed"),
]);

Deno.test("readResults() keeps what a mutant came to first, and last", () => {
  const { first, last } = readResults(LINES);
  const id = mutantId(result("two", "killed") as unknown as Mutant);
  assertEquals([first.get(id)!.verdict, last.get(id)!.verdict], ["survived", "killed"]);
});

Deno.test("readResults() passes over a line that a killed run did not end", () => {
  assertEquals(readResults(LINES.slice(0, -5)).last.size, 4);
  assertEquals([...readResults(LINES.slice(0, -5)).last.values()][1]!.verdict, "survived");
});

Deno.test("a sample counts at first sight, and leaves on record what is not killed since", () => {
  const equivalents = new Equivalents([
    { ...result("same", "survived", "core/call/b.ts"), reason: "nobody can see it" },
  ]);
  const record = { samples: [], survivors: [result("two", "survived"), result("x", "survived")] };
  const next = added(record, { name: "seed 7", results: readResults(LINES), equivalents });
  assertEquals(next.samples[0]!.rooms, {
    call: { killed: 0, survived: 0, equivalent: 1, refused: 0 },
    wait: { killed: 1, survived: 2, equivalent: 0, refused: 0 },
  });
  assertEquals(next.survivors.map(({ from }) => from), ["three", "x"]);
  const again = added(next, { name: "seed 7", results: readResults(LINES), equivalents });
  assertEquals([again.samples.length, again.survivors.length], [1, 2]);
});

Deno.test("a rate travels with Wilson's interval", () => {
  // Newcombe, Statistics in Medicine 17 (1998), table I: 81 of 263, 15 of 148, 0 of 20.
  for (const [hits, count, lo, hi] of [[81, 263, 0.2553, 0.3662], [15, 148, 0.0624, 0.1605]]) {
    const interval = intervalOf(hits!, count!);
    assertEquals([interval.lo.toFixed(4), interval.hi.toFixed(4)], [lo, hi].map(String));
  }
  assertEquals(intervalOf(0, 20).hi.toFixed(4), "0.1611");
  assertEquals(rateText({ killed: 0, survived: 0 }), "-");
});

Deno.test("every room of the core is changed, and every model is run for what it models", () => {
  const rooms = [...Deno.readDirSync(`${ROOT}core`)].filter(({ isDirectory }) => isDirectory)
    .map(({ name }) => name).filter((name) => name !== "testing");
  const changed = listChanged();
  assertEquals(new Set(rooms).difference(new Set(changed.map(roomOf))), new Set());
  const plan = new TestPlan(ROOT, listPaths(), { isNear: false });
  const run = new Set(
    ["core/wait/doorbell.ts", "core/toggle/port_side.ts", "core/gwht/gwht.ts"]
      .concat("core/four_phase/four_phase.ts", "core/packet_stacks/stacks.ts")
      .concat("core/command_ring/return_slots.ts")
      .flatMap((file) => plan.batchesFor(file)).flatMap(({ files }) => files),
  );
  const models = listPaths().filter((path) => /^core\/testing\/.*_model_test\.ts$/.test(path));
  assertEquals(models.filter((path) => !run.has(path)), []);
});
