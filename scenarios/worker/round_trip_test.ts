import { assertEquals } from "@std/assert";
import { type Point, pointId } from "../axis.ts";
import { Partner } from "../partner/partner.ts";
import { roundTrip } from "./round_trip.ts";

type RoundTripPoint = Point<typeof roundTrip.axes>;

Deno.test("roundTrip sweeps ports by lanes, then the waiting alone", () => {
  const points = [...roundTrip.points!()];
  assertEquals(points.length, 7 * 4 + 6);
  const ids = points.map((point) => pointId(roundTrip.axes, point));
  assertEquals(new Set(ids).size, ids.length);
});

Deno.test("roundTrip makes checked calls with every way of waiting", async () => {
  await using partner = new Partner();
  for (const waiting of roundTrip.axes["waiting"] as readonly RoundTripPoint["waiting"][]) {
    await using trial = await roundTrip.setup({ portCount: 4, laneCount: 8, waiting }, partner);
    for (const callCount of [1, 50]) {
      trial.wake!();
      trial.run(callCount);
      trial.rest!();
    }
  }
});
