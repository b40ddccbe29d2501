import { assertEquals } from "@std/assert";
import * as kind from "./kind.ts";
import { lengthOf } from "./length.ts";
import { fn } from "./signature.ts";
import { signatureText } from "./signature_text.ts";

const { f64, i32, nothing, string, u64 } = kind;

Deno.test("signatureText() tells each kind by its own words", () => {
  const struct = kind.struct({ x: f64, at: kind.struct({ y: i32 }) });
  const signature = fn([
    f64,
    kind.bytes("in"),
    kind.bytes("inout", lengthOf(0 + 4).times(8).plus(1)),
    string,
    u64,
    kind.handle("File"),
    kind.ends("File"),
    kind.nullable(kind.pointer("out", struct)),
    kind.constant(i32, -3),
    kind.callback([i32, f64], nothing),
    kind.variadic,
  ], struct);
  const structText = "{ x: f64, at: { y: i32 } }";
  assertEquals(
    signatureText("a.f", signature),
    "a.f(f64, in bytes, inout bytes[#4 * 8 + 1], string, u64, Handle<File>, ends Handle<File>, " +
      `out *${structText} or null, i32 = -3, (i32, f64) => void, ...) -> ${structText}`,
  );
});

Deno.test("signatureText() tells how a function fails", () => {
  assertEquals(signatureText("a.f", fn([], i32, { failsWith: -1 })), "a.f() -> i32, -1 on failure");
  const none = fn([], kind.nullable(string), { failsWith: null });
  assertEquals(signatureText("a.f", none), "a.f() -> string or null, null on failure");
});
