import { assertThrows } from "@std/assert";
import { Partner } from "../partner/partner.ts";
import { checkCalls, signatureCost } from "./signature_cost.ts";

Deno.test("signature_cost makes the same checked calls in both ways", async () => {
  await using partner = new Partner();
  for (const call of signatureCost.axes.call) {
    await using plain = await signatureCost.floor!.setup({ call }, partner);
    await using trial = await signatureCost.setup({ call }, partner);
    for (const callCount of [1, 3]) {
      for (const one of [trial, plain]) {
        one.wake!();
        one.run(callCount);
        one.rest!();
      }
    }
  }
});

Deno.test("checkCalls() refuses a number that came back as it went", () => {
  assertThrows(() => checkCalls((number) => number, 1), Error, "one larger");
});
