import { assert, assertEquals } from "@std/assert";
import { pageOf, readRecord } from "./accepted.ts";
import { countsOf, score } from "./report.ts";
import { listMutants, readEquivalents, ROOT } from "./tree.ts";

/** What the tests have to notice, at least. */
const SCORE_MIN = 0.95;
const COUNTS_MIN = { ts: 200 };

const equivalents = readEquivalents();
const record = readRecord();

Deno.test("docs/mutants.md says what the record holds", async () => {
  const page = await Deno.readTextFile(`${ROOT}docs/mutants.md`);
  assertEquals(page, pageOf(page, record));
});

for (const [language, countMin] of Object.entries(COUNTS_MIN)) {
  Deno.test(`the record holds enough changes of *.${language}, and the tests notice them`, () => {
    const results = record.filter(({ file }) => file.endsWith(`.${language}`));
    const counts = countsOf(results, equivalents);
    assert(counts.judged >= countMin, `only ${counts.judged} were tried`);
    assert(score(counts) >= SCORE_MIN, `the score is ${score(counts)}`);
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
