import { allPoints } from "../axis.ts";
import { Partner } from "../partner/partner.ts";
import { mailboxRead } from "./mailbox_read.ts";

Deno.test("mailboxRead makes checked calls by turns and by outboxes", async () => {
  await using partner = new Partner();
  for (const point of allPoints(mailboxRead.axes)) {
    for (const { setup } of [mailboxRead, ...mailboxRead.references!]) {
      await using trial = await setup(point, partner);
      trial.wake!();
      trial.run(20);
      trial.rest!();
    }
  }
});
