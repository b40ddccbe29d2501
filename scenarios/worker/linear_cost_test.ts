import { assertEquals } from "@std/assert";
import { allPoints, pointId } from "../axis.ts";
import { linearCost } from "./linear_cost.ts";
import { Partner } from "../partner/partner.ts";
import { controlsOf } from "../scenario.ts";

for (const point of allPoints(linearCost.axes)) {
  Deno.test(`linearCost makes checked calls, ${pointId(linearCost.axes, point)}`, async () => {
    await using partner = new Partner();
    for (const one of [linearCost, ...controlsOf(linearCost)]) {
      await using trial = await one.setup(point, partner);
      trial.wake!();
      await trial.run(20);
      trial.rest!();
    }
  });
}

Deno.test("linearCost compares every side and both settings of the checks", () => {
  const ids = [...linearCost.points!()].map((point) => pointId(linearCost.axes, point));
  assertEquals(ids.length, 3 * 2 + 2);
  assertEquals(new Set(ids).size, ids.length);
});
