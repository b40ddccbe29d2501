import { assert, assertEquals } from "@std/assert";
import { pageOf, readRecord } from "./accepted.ts";
import { countsOf, score } from "./report.ts";
import { listMutants, readEquivalents, ROOT } from "./tree.ts";

/** How many changes have to be on record, and how much of what can be noticed has to be. */
const MINIMA = { ts: { count: 200, score: 0.95 }, wgsl: { count: 40, score: 0.9 } };

const equivalents = readEquivalents();
const record = readRecord();

Deno.test("docs/mutants.md says what the record holds", async () => {
  const page = await Deno.readTextFile(`${ROOT}docs/mutants.md`);
  assertEquals(page, pageOf(page, record));
});

for (const [language, minimum] of Object.entries(MINIMA)) {
  Deno.test(`the record holds enough changes of *.${language}, and the tests notice them`, () => {
    const results = record.filter(({ file }) => file.endsWith(`.${language}`));
    const counts = countsOf(results, equivalents);
    assert(counts.judged >= minimum.count, `only ${counts.judged} were tried`);
    assert(score(counts) >= minimum.score, `the score is ${score(counts)}`);
  });
}

Deno.test("each reason why a change makes no difference is of a change that can be made", () => {
  const mutants = [...listMutants("core"), ...listMutants("wgsl")];
  assertEquals(equivalents.withoutMutant(mutants), []);
});

Deno.test("what is said to be equivalent was not killed", () => {
  const killed = record.filter((one) => one.verdict === "killed" && equivalents.reasonOf(one));
  assertEquals(killed.map(({ file, to }) => `${file}: ${to}`), []);
});
