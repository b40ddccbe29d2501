import { allPoints } from "../axis.ts";
import { Partner } from "../partner/partner.ts";
import { lanes } from "./lanes.ts";

Deno.test("lanes makes checked calls in both layouts by every pattern of lanes", async () => {
  await using partner = new Partner();
  for (const point of allPoints(lanes.axes)) {
    if (point.laneCount === 32 || lanes.skip!(point) !== undefined) continue;
    await using trial = await lanes.setup(point, partner);
    trial.wake!();
    trial.run(10);
    trial.rest!();
  }
});
