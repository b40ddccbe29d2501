import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { SharedText } from "./shared_text.ts";

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
