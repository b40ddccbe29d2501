import { assertThrows } from "@std/assert";
import { PartnerState } from "./partner_state.ts";

Deno.test("PartnerState.awaitIdle() signals until the partner sleeps", () => {
  const mine = new PartnerState();
  const partners = new PartnerState(mine.buffer);
  partners.begin(3);
  let signalCount = 0;
  mine.awaitIdle(() => {
    if (++signalCount === 3) partners.end();
  });
  mine.awaitIdle(() => {});
});

Deno.test("PartnerState.awaitBegun() returns when the partner runs that work", () => {
  const mine = new PartnerState();
  new PartnerState(mine.buffer).begin(3);
  mine.awaitBegun(3);
});

Deno.test("PartnerState throws in the partner's words once its work threw", () => {
  const mine = new PartnerState();
  mine.throwIfFailed();
  new PartnerState(mine.buffer).fail("no such channel");
  assertThrows(() => mine.awaitBegun(1), Error, "no such channel");
  assertThrows(() => mine.awaitIdle(() => {}), Error, "no such channel");
  assertThrows(() => mine.throwIfFailed(), Error, "no such channel");
});
