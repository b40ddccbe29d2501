import { assertEquals, assertThrows } from "@std/assert";
import { Module } from "../text/module.ts";
import { fixOverrides, KernelText, type OverrideValues } from "./kernel_text.ts";

function fixed(source: string, values: OverrideValues = {}): string {
  const text = new KernelText(new Module(source));
  fixOverrides(text, values);
  return text.printed().text;
}

Deno.test("fixOverrides() makes constants, on as many lines", () => {
  const cases: readonly (readonly [source: string, values: OverrideValues, made: string])[] = [
    ["override a = 4u; // 4", {}, "const a: u32 = 4u; // 4"],
    ["@id(7) override a: f32 = 1;", {}, "const a: f32 = 1;"],
    ["override a = b;", {}, "const a = b;"],
    ["override a: u32;", {}, "override a: u32;"],
    ["override a: i32;", { a: -3 }, "const a: i32 = i32(-3);"],
    ["override a =\n  2u\n;", { a: 3 }, "const a: u32 = 3u\n\n;"],
    ["const a = 1; override b = a + 1;", { b: 5 }, "const a = 1; const b: i32 = i32(5);"],
  ];
  for (const [source, values, made] of cases) assertEquals(fixed(source, values), made);
});

Deno.test("fixOverrides() refuses a value of a type that does not show", () => {
  assertThrows(() => fixed("override a = b;", { a: 1 }), TypeError, "of a type that shows");
});
