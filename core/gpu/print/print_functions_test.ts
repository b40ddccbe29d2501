import { assertEquals, assertStringIncludes } from "@std/assert";
import { Types } from "../text/inference.ts";
import { Module } from "../text/module.ts";
import { type PrintCall, printingCalls, printOf } from "./print_calls.ts";
import {
  formatOf,
  printfBytes,
  putAssert,
  putPrintf,
  ringFunction,
  silentFunction,
} from "./print_functions.ts";

function callOf(args: string, name = "printf"): PrintCall {
  const types = new Types(new Module(`fn kernel() { ${name}(${args}); }`));
  return printOf(types, printingCalls(types.module)[0]!);
}

const names = { name: "p_7", prefix: "printf_", number: 7, silence: undefined };

Deno.test("ringFunction() stores each word of its arguments behind the head", () => {
  const code = ringFunction(callOf('"%f %v2u %*b", a, b, c, d'), names);
  assertStringIncludes(code, "fn p_7(a0: f32, a1: vec2<u32>, a2: i32, a3: bool) {");
  assertStringIncludes(code, "printf_reserve(7u, 7u)");
  assertEquals(code.match(/ring\.words\[at \+ \d+u\] = .*/g), [
    "ring.words[at + 0u] = bitcast<u32>(a0);",
    "ring.words[at + 1u] = bitcast<u32>(a1.x);",
    "ring.words[at + 2u] = bitcast<u32>(a1.y);",
    "ring.words[at + 3u] = bitcast<u32>(a2);",
    "ring.words[at + 4u] = select(0u, 1u, a3);",
  ]);
});

Deno.test("ringFunction() of a text alone stores nothing but the head, and leaves first", () => {
  const wanted = "{ _ = printf_reserve(7u, 2u); }";
  assertEquals(ringFunction(callOf('"hello"'), names), `fn p_7() ${wanted}`);
  assertEquals(
    ringFunction(callOf('x > 1, "hello"', "printf_if"), { ...names, silence: "over" }),
    `fn p_7(when: bool) ${wanted.replace("_ =", "if !when || over { return; }\n  _ =")}`,
  );
  assertEquals(
    silentFunction(callOf('x > 1, "%u", y', "printf_if"), "q"),
    "fn q(when: bool, a0: u32) {}",
  );
});

Deno.test("formatOf() is the format with its texts and vectors filled in", () => {
  const cases = [
    ['"%d%%\\n", 1', "%d%%\n"],
    ['"%s: %-*.3f", "50%", 4, 1.5', "50%%: %-*.3f"],
    ['"%v and %+.1v3e", vec2u(), vec3f()', "%v2u and %+.1v3e"],
  ] as const;
  for (const [args, wanted] of cases) assertEquals(formatOf(callOf(args)), wanted);
});

const put = {
  name: "put_it",
  number: 7,
  libraryName: (name: string) => name === "printf_put" ? "printf_put_" : name,
};

Deno.test("putPrintf() adds a length, the format and the numbers, or where the format stands", () => {
  const text = putPrintf(callOf('"a%u", 1u'), put);
  assertStringIncludes(text, '// "a%u"\nfn put_it(a0: u32) {\n  var at = printf_place(12u);\n');
  const format = 0x61 + 0x25 * 256 + 0x75 * 65536;
  for (
    const part of [
      "printf_repeats(7u)",
      `lane_memory[at + 0u] = 3u; lane_memory[at + 1u] = ${format}u;`,
      "lane_memory[at + 0u] = bitcast<u32>(a0);",
      "printf_put_(7u,",
    ]
  ) assertStringIncludes(text, part);
});

Deno.test("putAssert() leaves its number and values in the packet, and fails", () => {
  assertEquals(
    putAssert(callOf('"a%u", 1u'), put),
    `fn put_it(a0: u32) {
  lane_memory[memory_base() + 0u] = 7u;
  lane_memory[memory_base() + 1u] = bitcast<u32>(a0);
  lane_fail(ERROR_ASSERTION_FAILED);
}
`,
  );
});

Deno.test("printfBytes() counts whole words", () => {
  assertEquals(printfBytes(callOf('"a%u", 1u')), 12);
  assertEquals(printfBytes(callOf('"12345"')), 12);
  assertEquals(printfBytes(callOf('"%v4f", vec4f()')), 24);
});
