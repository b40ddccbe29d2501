import { allPoints } from "../axis.ts";
import { Partner } from "../partner/partner.ts";
import { inFlight } from "./in_flight.ts";

Deno.test("inFlight makes checked calls both ways, in turn with synchronous ones", async () => {
  await using partner = new Partner();
  for (const point of allPoints(inFlight.axes)) {
    if (point.inFlight !== 1 && point.inFlight !== 8) continue;
    for (const one of [inFlight, ...inFlight.references!]) {
      await using trial = await one.setup(point, partner);
      trial.wake!();
      await trial.run(50);
      trial.rest!();
    }
  }
});
