import { assertEquals, assertStringIncludes } from "@std/assert";
import { typeText } from "../syntax/value_type.ts";
import { WgslText } from "../syntax/wgsl_text.ts";
import {
  argumentTypes,
  formatOf,
  printfBytes,
  printfFunction,
  putPrintf,
} from "./printf_functions.ts";
import { type PrintfCall, printfCalls } from "./printf_calls.ts";

const names = { name: "pf_000", prefix: "printf_", number: 7 };

Deno.test("argumentTypes() gives a type to each argument", () => {
  const types = argumentTypes(callOf('"a %d %x %*.*e %v3f %v2d", a, b, c, d, e, f, g'));
  assertEquals(types.map(typeText), [
    ...["i32", "u32", "i32", "i32", "f32", "vec3<f32>", "vec2<i32>"],
  ]);
});

Deno.test("printfFunction() stores each word of its arguments behind the head", () => {
  const code = printfFunction(callOf('"%f %v2u", a, b'), names);
  assertStringIncludes(code, "fn pf_000(a0: f32, a1: vec2<u32>) {");
  assertStringIncludes(code, "printf_reserve(7u, 5u)");
  assertEquals(code.match(/ring\.words\[at \+ \d+u\] = .*/g), [
    "ring.words[at + 0u] = bitcast<u32>(a0);",
    "ring.words[at + 1u] = bitcast<u32>(a1.x);",
    "ring.words[at + 2u] = bitcast<u32>(a1.y);",
  ]);
});

Deno.test("printfFunction() of a text alone stores nothing but the head", () => {
  const code = printfFunction(callOf('"hello"'), names);
  assertEquals(code, "fn pf_000() { _ = printf_reserve(7u, 2u); }");
});

function callOf(args: string): PrintfCall {
  const source = `fn kernel() { printf(${args}); }`;
  return printfCalls(new WgslText(source))[0]!;
}

Deno.test("formatOf() is the format with its texts and vectors filled in", () => {
  const cases = [
    ['"%d%%\\n", 1', "%d%%\n"],
    ['"%s: %-*.3f", "50%", 4, 1.5', "50%%: %-*.3f"],
    ['"%v and %+.1v3e", vec2u(), vec3f()', "%v2u and %+.1v3e"],
  ] as const;
  for (const [args, wanted] of cases) assertEquals(formatOf(callOf(args)), wanted);
});

Deno.test("putPrintf() adds a length, the format and the numbers, or where the format stands", () => {
  const libraryName = (name: string) => name === "printf_put" ? "printf_put_" : name;
  const text = putPrintf(callOf('"a%u", 1u'), { name: "put_it", number: 7, libraryName });
  assertStringIncludes(text, '// "a%u"\nfn put_it(a0: u32) {\n  var at = printf_place(12u);\n');
  const format = 0x61 + 0x25 * 256 + 0x75 * 65536;
  const head = `lane_memory[at + 0u] = 3u; lane_memory[at + 1u] = ${format}u;`;
  for (
    const part of [
      "printf_repeats(7u)",
      head,
      "lane_memory[at + 0u] = bitcast<u32>(a0);",
      "printf_put_(7u,",
    ]
  ) {
    assertStringIncludes(text, part);
  }
});

Deno.test("printfBytes() counts whole words", () => {
  assertEquals(printfBytes(callOf('"a%u", 1u')), 12);
  assertEquals(printfBytes(callOf('"12345"')), 12);
  assertEquals(printfBytes(callOf('"%v4f", vec4f()')), 24);
});
