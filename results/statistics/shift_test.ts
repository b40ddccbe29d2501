import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import fc from "fast-check";
import { seededRandom } from "../../bench/sweep/plan_sweep.ts";
import { shiftRange } from "./shift.ts";

const SIX = [0, 1, 2, 3, 4, 5];

Deno.test("shiftRange() ends at the differences that the tables of Mann and Whitney name", () => {
  // Of 924 orders of six and six, 1, 2 and 4 have 0, 1 and 2 pairs turned round at most.
  const after = SIX.map((value) => 100 + 10 ** value); // as of no bell
  const differences = after.flatMap((one) => SIX.map((other) => one - other)).sort((a, b) => a - b);
  for (const [orders, rank] of [[1, 0], [2, 1], [4, 2]] as const) {
    const range = shiftRange([{ before: SIX, after }], orders / 924 + 1e-9)!;
    assertEquals(range.by, "ranks");
    assertAlmostEquals(range.lo, differences[rank]!, 1e-3);
    assertAlmostEquals(range.hi, differences.at(-1 - rank)!, 1e-3);
  }
  const between = shiftRange([{ before: SIX, after }], 1.5 / 924)!;
  assertAlmostEquals(between.lo, (differences[0]! + differences[1]!) / 2, 1e-9);
});

Deno.test("shiftRange() goes by Welch's t where ranks cannot be that sure", () => {
  const range = shiftRange([{ before: [1, 2, 3], after: [2, 3, 4] }], 0.025)!;
  assertEquals(range.by, "t"); // t of 4 degrees of freedom: 2.776, an error of 0.8165
  assertAlmostEquals(range.lo, 1 - 2.776 * 0.8165, 1e-3);
  assertEquals(shiftRange([{ before: [1], after: [2, 3] }], 0.025), undefined);
  assertEquals(shiftRange([], 0.025), undefined);
});

Deno.test("shiftRange() turned round is the other way, and moves with the values", () => {
  const thousandths = fc.integer({ min: -9000, max: 9000 }).map((value) => value / 1000);
  const values = fc.array(thousandths, { minLength: 2, maxLength: 12 });
  fc.assert(fc.property(values, values, (before, after) => {
    const [there, back] = [{ before, after }, { before: after, after: before }]
      .map((stratum) => shiftRange([stratum], 0.02)!);
    assertAlmostEquals(there!.lo, -back!.hi, 1e-6);
    const moved = shiftRange([{ before, after: after.map((one) => one + 1) }], 0.02)!;
    assertAlmostEquals(moved.lo, there!.lo + 1, 1e-6);
  }));
});

Deno.test("shiftRange() compares within strata only", () => {
  const near = { before: SIX, after: SIX.map((value) => value + 0.5) };
  const far = {
    before: SIX.map((value) => 1000 + value),
    after: SIX.map((value) => 1000.5 + value),
  };
  const { lo, hi } = shiftRange([near, far], 0.01)!;
  assert(-4 < lo && lo < 0.5 && 0.5 < hi && hi < 5, `${lo} to ${hi}`);
});

Deno.test("shiftRange() misses as often as it says, also beyond where its ranks are exact", () => {
  const random = seededRandom(3);
  for (const [before, after, trials] of [[5, 9, 3000], [30, 12, 1000]] as const) {
    let missed = 0;
    for (let trial = 0; trial < trials; trial++) {
      const [one, other] = [before, after].map((count) =>
        Array.from({ length: count }, () => 1 / (1 - random()))
      );
      if (shiftRange([{ before: one!, after: other! }], 0.05)!.lo > 0) missed++;
    }
    assertAlmostEquals(missed / trials, 0.05, 0.02);
  }
});
