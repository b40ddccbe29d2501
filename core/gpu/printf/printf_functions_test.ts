import { assertEquals, assertStringIncludes } from "@std/assert";
import { parseFormat } from "../../text/conversion.ts";
import { argumentTypes, printfFunction } from "./printf_functions.ts";

const names = { name: "pf_000", prefix: "printf_", number: 7 };

Deno.test("argumentTypes() gives a type to each argument", () => {
  assertEquals(argumentTypes({ pieces: parseFormat("a %d %x %*.*e %v3f %v2d") }), [
    ...["i32", "u32", "i32", "i32", "f32", "vec3<f32>", "vec2<i32>"],
  ]);
});

Deno.test("printfFunction() stores each word of its arguments behind the head", () => {
  const code = printfFunction({ pieces: parseFormat("%f %v2u") }, names);
  assertStringIncludes(code, "fn pf_000(a0: f32, a1: vec2<u32>) {");
  assertStringIncludes(code, "printf_reserve(7u, 5u)");
  assertEquals(code.match(/ring\.words\[at \+ \d+u\] = .*/g), [
    "ring.words[at + 0u] = bitcast<u32>(a0);",
    "ring.words[at + 1u] = bitcast<u32>(a1.x);",
    "ring.words[at + 2u] = bitcast<u32>(a1.y);",
  ]);
});

Deno.test("printfFunction() of a text alone stores nothing but the head", () => {
  const code = printfFunction({ pieces: parseFormat("hello") }, names);
  assertEquals(code, "fn pf_000() { _ = printf_reserve(7u, 2u); }");
});
