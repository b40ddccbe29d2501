import { Partner } from "../partner/partner.ts";
import { callSteps } from "./ping_pong_steps.ts";

for (const step of callSteps.axes.step) {
  Deno.test(`callSteps makes checked calls up to ${step}, and again after a rest`, async () => {
    await using partner = new Partner();
    await using trial = await callSteps.setup({ step }, partner);
    for (const callCount of [1, 50, 0, 7]) {
      trial.wake!();
      trial.run(callCount);
      trial.rest!();
    }
  });
}
