import fc from "fast-check";
import { assertEquals, assertThrows } from "@std/assert";
import { PartnerState, SharedText } from "./partner_state.ts";

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

Deno.test("SharedText.read() gives back what was written last", () => {
  const text = new SharedText(new Uint8Array(new SharedArrayBuffer(1024), 4));
  assertEquals(text.read(), "");
  fc.assert(fc.property(fc.string({ unit: "grapheme", maxLength: 50 }), (written) => {
    text.write(written);
    assertEquals(text.read(), written);
  }));
});

Deno.test("SharedText.write() cuts off what does not fit", () => {
  const text = new SharedText(new Uint8Array(new SharedArrayBuffer(16)));
  text.write("0123456789abcdef");
  assertEquals(text.read(), "0123456789ab");
});
