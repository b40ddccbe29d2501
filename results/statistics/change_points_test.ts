import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { seededRandom } from "../../bench/sweep/plan_sweep.ts";
import { changePoints } from "./change_points.ts";

/** Logarithms that scatter by a hundredth; heavy tails lie ten times as far out now and then. */
function noise(seed: number, isHeavy: boolean): () => number {
  const random = seededRandom(seed);
  return () => {
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    return 0.01 * normal / (isHeavy ? Math.sqrt(-Math.log(1 - random())) : 1);
  };
}

function share(isHeavy: boolean, use: (next: () => number) => boolean): number {
  const count = 300;
  const seeds = Array.from({ length: count }, (_, seed) => seed);
  return seeds.filter((seed) => use(noise(seed, isHeavy))).length / count;
}

Deno.test("changePoints() marks at most 2 % of series that do not change", () => {
  for (const isHeavy of [false, true]) {
    for (const length of [6, 10, 30]) {
      const marked = share(
        isHeavy,
        (next) => changePoints(Array.from({ length }, () => Math.exp(next()))).length > 0,
      );
      assert(marked <= 0.02, `${marked} of ${length}, ${isHeavy}`);
    }
  }
});

Deno.test("changePoints() finds 10 % at 1 % scatter within one commit, in 9 of 10 series of ten", () => {
  const found = share(false, (next) => {
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
