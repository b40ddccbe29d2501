import { allPoints } from "../axis.ts";
import { Partner } from "../partner/partner.ts";
import { controlsOf } from "../scenario.ts";
import { printf } from "./printf.ts";

Deno.test("printf prints checked lines in every way, in turn with its controls", async () => {
  await using partner = new Partner();
  for (const point of allPoints(printf.axes)) {
    await using trial = await printf.setup(point, partner);
    for (const callCount of [1, 40]) {
      trial.wake!();
      trial.run(callCount);
      trial.rest!();
    }
  }
  for (const control of controlsOf(printf)) {
    await using trial = await control.setup({ way: "printf", laneCount: 64 }, partner);
    await trial.run(3);
  }
});
