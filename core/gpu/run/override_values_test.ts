import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { WgslText } from "../syntax/wgsl_text.ts";
import { KernelCompileError } from "../wgsl/kernel_compile.ts";
import { overrideEdits, type OverrideValues } from "./override_values.ts";

const TEXT = `@id(3) override count: u32 = 4; // how many
override scale = 1.5; override on: bool = true; override shift = -1;
@service fn twice(x: u32) -> u32;
fn kernel() {
  var list: array<u32, count>;
  list[count - 1u] = twice(count);
  printf("%u %g %d %u", list[count - 1u], scale, shift, select(0u, twice(1u), on));
}`;

function edited(source: string, values: OverrideValues): string {
  const text = new WgslText(source);
  return text.edited(overrideEdits(text, values));
}

Deno.test("overrideEdits() makes constants of all, with the values that are given, and keeps lines", () => {
  const code = edited(TEXT, { count: 7, scale: 2, on: false, shift: -5 });
  assertEquals(code.split("\n").slice(0, 2), [
    "       const count: u32 = 7u; // how many",
    "const scale: f32 = f32(2); const on: bool = false; const shift: i32 = i32(-5);",
  ]);
  assertEquals(edited(TEXT, {}).split("\n").slice(0, 2), [
    "       const    count: u32 = 4; // how many",
    "const    scale = 1.5; const    on: bool = true; const    shift = -1;",
  ]);
});

Deno.test("overrideEdits() says what does not fit", () => {
  const cases: readonly (readonly [values: OverrideValues, text: string])[] = [
    [{ counts: 1 }, "no override counts: did you mean count"],
    [{ count: -1 }, "the constant count must be an integer from 0 to 4294967295"],
    [{ count: 1.5 }, "current value is 1.5"],
    [{ on: 1 }, "must be true or false"],
    [{ scale: Infinity }, "a finite number, f32"],
    [{ shift: true }, "an integer from -2147483648"],
  ];
  for (const [values, text] of cases) {
    assertStringIncludes(assertThrows(() => edited(TEXT, values), TypeError).message, text);
  }
  const error = assertThrows(() => edited("\noverride n: u32;", {}), KernelCompileError);
  assertEquals([error.line, error.reason.includes("constants: { n: 1 }")], [2, true]);
});
