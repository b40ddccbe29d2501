import { assertEquals, assertStringIncludes } from "@std/assert";
import { declarationsOf } from "../../syntax/declarations.ts";
import { tokensOf } from "../../syntax/tokens.ts";
import { type PrintfCall, printfCalls } from "../../printf/printf_calls.ts";
import { formatOf, printfBytes, putPrintf } from "./kernel_printf.ts";

function callOf(args: string): PrintfCall {
  const source = `fn kernel() { printf(${args}); }`;
  const tokens = tokensOf(source);
  return printfCalls({ source, tokens, declarations: declarationsOf(tokens) })[0]!;
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
  const text = putPrintf(callOf('"a%u", 1u'), { name: "put_it", number: 7 });
  assertStringIncludes(text, '// "a%u"\nfn put_it(a0: u32) {\n  var at = printf_place(12u);\n');
  const format = 0x61 + 0x25 * 256 + 0x75 * 65536;
  const head = `lane_memory[at + 0u] = 3u; lane_memory[at + 1u] = ${format}u;`;
  for (const part of ["printf_repeats(7u)", head, "lane_memory[at + 0u] = bitcast<u32>(a0);"]) {
    assertStringIncludes(text, part);
  }
});

Deno.test("printfBytes() counts whole words", () => {
  assertEquals(printfBytes(callOf('"a%u", 1u')), 12);
  assertEquals(printfBytes(callOf('"12345"')), 12);
  assertEquals(printfBytes(callOf('"%v4f", vec4f()')), 24);
});
