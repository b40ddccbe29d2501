import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { seededRandom } from "../../bench/sweep/plan_sweep.ts";
import { changePoints } from "./change_points.ts";

/**
 * Logarithms that scatter by a hundredth; heavy tails lie ten times as far out now and then, and a tenth of
 * disturbed runs by twenty deviations to the same side.
 */
type Law = "bell" | "heavy" | "disturbed";

function noise(seed: number, law: Law): () => number {
  const random = seededRandom(seed);
  return () => {
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    const isDisturbed = law === "disturbed" && random() < 0.1;
    return 0.01 * (isDisturbed ? 20 : 0) +
      0.01 * normal / (law === "heavy" ? Math.sqrt(-Math.log(1 - random())) : 1);
  };
}

function share(law: Law, use: (next: () => number) => boolean): number {
  const count = 300;
  const seeds = Array.from({ length: count }, (_, seed) => seed);
  return seeds.filter((seed) => use(noise(1000 + 7919 * seed, law))).length / count;
}

Deno.test("changePoints() marks at most 2 % of series that do not change", () => {
  for (const law of ["bell", "heavy", "disturbed"] as const) {
    for (const length of [6, 10, 30, 200]) {
      const marked = share(
        law,
        (next) => changePoints(Array.from({ length }, () => Math.exp(next()))).length > 0,
      );
      assert(marked <= 0.02, `${marked} of ${length}, ${law}`);
    }
  }
});

Deno.test("changePoints() finds 10 % at 1 % scatter within one commit, in 9 of 10 series of ten", () => {
  const found = share("bell", (next) => {
    const values = Array.from({ length: 10 }, (_, at) => Math.exp(next()) * (at < 5 ? 1 : 1.1));
    return changePoints(values).some(({ at }) => Math.abs(at - 5) <= 1);
  });
  assert(found >= 0.85, `${found}`);
});

Deno.test("changePoints() says where and by how much, and passes over a single outlier", () => {
  const values = [1, 1.002, 1.001, 0.999, 2, 1.001, 1, 1.2, 1.201, 1.2, 1.202, 1.199, 1.2];
  const [change, ...others] = changePoints(values);
  assertEquals([change!.at, others], [7, []]);
  assertAlmostEquals(change!.ratio, 1.2, 0.002);
  assertEquals(changePoints([1, 1, 2, 2, 2]), []);
  assertEquals(changePoints([1, 1, 1, 1, 1, 1, 1]), []);
  assertThrows(() => changePoints([1, 0, 1]), RangeError, "every value must be positive");
});
