import { allPoints } from "../axis.ts";
import { Partner } from "../partner/partner.ts";
import { mailboxLayout } from "./mailbox_layout.ts";

Deno.test("mailboxLayout makes checked calls on every design that there is", async () => {
  await using partner = new Partner();
  for (const point of allPoints(mailboxLayout.axes)) {
    if (point.portCount !== 64 || mailboxLayout.skip?.(point) !== undefined) continue;
    await using trial = await mailboxLayout.setup(point, partner);
    trial.wake!();
    trial.run(20);
    trial.rest!();
  }
});
