import { Partner } from "../partner/partner.ts";
import { pingPong } from "./ping_pong.ts";

Deno.test("pingPong answers every ping, and again after each rest", async () => {
  await using partner = new Partner();
  await using trial = await pingPong.setup({}, partner);
  for (const callCount of [1, 1000, 0, 3]) {
    trial.wake!();
    trial.run(callCount);
    trial.rest!();
  }
});

Deno.test("pingPong can be compared with itself", async () => {
  await using partner = new Partner();
  await using one = await pingPong.setup({}, partner);
  await using other = await pingPong.floor!.setup({}, partner);
  for (const trial of [one, other, one]) {
    trial.wake!();
    trial.run(10);
    trial.rest!();
  }
});
