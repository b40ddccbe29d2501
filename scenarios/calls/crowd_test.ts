import { Partner } from "../partner/partner.ts";
import { prepareCrowd } from "./crowd.ts";

for (const [clientCount, serverCount] of [[1, 1], [3, 2]] as const) {
  Deno.test(`prepareCrowd() has ${clientCount} clients call ${serverCount} servers`, async () => {
    await using partner = new Partner();
    const shape = { portCount: 4, laneCount: 1 };
    const waiter = "adaptive";
    await using trial = await prepareCrowd(shape, partner, { clientCount, serverCount, waiter });
    for (const callCount of [10, 101]) {
      trial.wake!();
      trial.run(callCount);
      trial.rest!();
    }
  });
}
