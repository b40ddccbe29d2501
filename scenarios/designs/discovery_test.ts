import { allPoints } from "../axis.ts";
import { Partner } from "../partner/partner.ts";
import { discovery } from "./discovery.ts";

Deno.test("discovery makes checked calls on every design that there is", async () => {
  await using partner = new Partner();
  for (const point of allPoints(discovery.axes)) {
    if (point.portCount !== 64 || discovery.skip?.(point) !== undefined) continue;
    await using trial = await discovery.setup(point, partner);
    trial.wake!();
    trial.run(200);
    trial.rest!();
  }
});
