import { assertEquals } from "@std/assert";
import { type Point, pointId } from "../axis.ts";
import { Partner } from "../partner/partner.ts";
import { featureCost } from "./feature_cost.ts";

type Sides = Point<typeof featureCost.axes>["sides"];

Deno.test("featureCost compares the page and the library everywhere, and both mixtures once", () => {
  const ids = [...featureCost.points!()].map((point) => pointId(featureCost.axes, point));
  assertEquals(ids.length, 2 * 3 * 2 + 2);
  assertEquals(new Set(ids).size, ids.length);
});

Deno.test("featureCost makes checked calls between all sides, and again after each rest", async () => {
  await using partner = new Partner();
  for (const sides of featureCost.axes["sides"] as readonly Sides[]) {
    await using trial = await featureCost.setup({ sides, portCount: 64, laneCount: 32 }, partner);
    for (const callCount of [1, 50, 0, 7]) {
      trial.wake!();
      trial.run(callCount);
      trial.rest!();
    }
  }
});
