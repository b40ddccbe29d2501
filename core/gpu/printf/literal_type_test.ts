import { assertEquals, assertThrows } from "@std/assert";
import { tokensOf } from "../syntax/tokens.ts";
import { type Conversion, parseFormat, scalarOf } from "../../text/conversion.ts";
import { refuseLiteral } from "./literal_type.ts";
import { PrintfError } from "./printf_error.ts";

function refuse(format: string, source: string): void {
  const conversion = parseFormat(format)[0] as Conversion;
  const tokens = tokensOf(source);
  const range = { start: 0, end: tokens.length };
  refuseLiteral({ source, tokens }, range, { conversion, scalar: scalarOf(conversion)! });
}

Deno.test("a literal that fits is taken, and so is any other expression", () => {
  const cases = [
    ["%d", ["1", "-1", "1i", "0x1F", "-2i"]],
    ["%u", ["1", "1u", "0xffu", "x", "f(1.5)", "1.5 + x"]],
    ["%f", ["1", "-1", "1.5", "1f", ".5", "1e3", "0x1p3", "-2.5f", "0x1.8p0f"]],
    ["%v3f", ["x", "vec3f(1u)"]],
  ] as const;
  for (const [format, texts] of cases) for (const text of texts) refuse(format, text);
});

Deno.test("a literal that does not fit is refused, with the way out", () => {
  const cases = [
    ["%d", "1.5", "%d takes i32 and 1.5 is f32: write %f"],
    ["%d", "1u", "%d takes i32 and 1u is u32: write %u"],
    ["%u", "-1", "%u takes u32 and -1 is negative: write %d"],
    ["%5x", "2i", "%5x takes u32 and 2i is i32: write %d"],
    ["%u", "1e3", "1e3 is f32"],
    ["%f", "1u", "%f takes f32 and 1u is u32: write %u"],
    ["%g", "2i", "2i is i32"],
    ["%f", "1.5h", "1.5h is f16"],
    ["%u", "true", "%u takes u32 and true is a bool: write %u and select(0u, 1u, true)"],
    ["%d", '"a"', '%d takes i32 and "a" is a string: write %s'],
    ["%v3f", "1.5", "%v3f takes vec3<f32> and 1.5 is f32: write %f"],
    ["%v2d", "1", "%v2d takes vec2<i32> and 1 is a number: write %d"],
  ] as const;
  for (const [format, text, reason] of cases) {
    assertThrows(() => refuse(format, text), PrintfError, reason);
  }
});

Deno.test("the error stands at the literal", () => {
  const error = assertThrows(() => refuse("%d", "\n  1.5"), PrintfError);
  assertEquals([error.line, error.column], [2, 3]);
});
