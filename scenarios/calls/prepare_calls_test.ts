import { assertRejects } from "@std/assert";
import { Partner } from "../partner/partner.ts";
import { PipelinedCaller } from "./pipelined_caller.ts";
import { prepareCalls } from "./prepare_calls.ts";

Deno.test("prepareCalls() makes calls on a design that is not the default, one or several at once", async () => {
  await using partner = new Partner();
  const shape = { portCount: 3, laneCount: 1, portLock: "fetch-add", start: "first" } as const;
  for (const inFlight of [1, 3]) {
    await using trial = await prepareCalls(
      shape,
      partner,
      inFlight === 1 ? undefined : (client) => new PipelinedCaller(client, inFlight),
    );
    for (const callCount of [1, 50]) {
      trial.wake!();
      trial.run(callCount);
      trial.rest!();
    }
  }
});

Deno.test("prepareCalls() refuses a design that there is not", async () => {
  const shape = { portCount: 1, laneCount: 1, mailboxWidth: "bit" } as const;
  await assertRejects(() => prepareCalls(shape, new Partner()), RangeError, "mailboxWidth bit");
});
