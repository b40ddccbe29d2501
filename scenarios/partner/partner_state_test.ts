import { assertThrows } from "@std/assert";
import { ASLEEP, PartnerState } from "./partner_state.ts";

Deno.test("PartnerState.awaitShift() nudges until the partner is there", () => {
  const mine = new PartnerState();
  const partners = new PartnerState(mine.buffer);
  partners.enter(3);
  let nudges = 0;
  mine.awaitShift(ASLEEP, () => {
    if (++nudges === 3) partners.enter(ASLEEP);
  });
  mine.awaitShift(ASLEEP);
});

Deno.test("PartnerState.awaitShift() throws in the partner's words once its work threw", () => {
  const mine = new PartnerState();
  mine.assertWell();
  new PartnerState(mine.buffer).fail("no such channel");
  assertThrows(() => mine.awaitShift(1), Error, "no such channel");
  assertThrows(() => mine.assertWell(), Error, "no such channel");
});
