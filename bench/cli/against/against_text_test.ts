import { assertEquals, assertMatch } from "@std/assert";
import { againstText, nextText } from "./against_text.ts";
import { judgeRounds } from "./judge_rounds.ts";
import { armsOf } from "./testdata/arms.ts";

const OPTIONS = { confidence: 0.98, pointCount: 1, sameWithin: 0.02, putInShare: 0.05 };

Deno.test("againstText() has a line for each point, with what was known", () => {
  const judged = {
    name: "call",
    ...judgeRounds(armsOf({ seed: 1, count: 12, now: 1.1 }), OPTIONS),
  };
  const [heading, line] = againstText([judged], OPTIONS).split("\n");
  assertEquals(heading!.indexOf("verdict"), line!.indexOf("slower"));
  assertMatch(line!, /^call +12 +\d+ ns +\d+ ns +1\.\d{3} /);
  const moved = againstText([{ ...judged, movedCount: 3 }], OPTIONS);
  assertMatch(moved, /3 rounds do not count, as the floor had another mode/);
});

Deno.test("nextText() says what to do by how it ended", () => {
  const judged = judgeRounds(armsOf({ seed: 1, count: 12, now: 1.1 }), OPTIONS);
  assertMatch(nextText([judged], 1), /^Next: it is slower/);
  assertMatch(nextText([judged], 3), /^Next: this machine tells [\d.]+ % apart now/);
  const few = judgeRounds(armsOf({ seed: 1, count: 2 }), OPTIONS);
  assertMatch(nextText([few], 3), /^Next: too few rounds/);
  assertEquals(nextText([judged], 0), "Next: nothing is worse");
});
