import { assertEquals, assertThrows } from "@std/assert";
import { declarationsOf } from "../syntax/declarations.ts";
import { tokensOf } from "../syntax/tokens.ts";
import { KernelCompileError } from "../wgsl/kernel_compile.ts";
import { programFunctions } from "./program_functions.ts";

const MAIN = "fn main() -> i32 { return 0; }";

function functionsOf(source: string) {
  const tokens = tokensOf(source);
  return programFunctions(source, tokens, declarationsOf(tokens).functions);
}

Deno.test("programFunctions() are begin, main and end, in this order", () => {
  const namesOf = (source: string) => functionsOf(source).map(({ name }) => name).join(" ");
  assertEquals(namesOf(MAIN), "main");
  assertEquals(namesOf(`fn end() {} ${MAIN} fn begin() {} fn other() {}`), "begin main end");
});

Deno.test("programFunctions() may take arguments, and main may give a result", () => {
  const source = `fn begin(argc: u32, argv: u32) {}
    fn main(argc: u32, argv: u32, envp: u32) {}
    fn end() {}`;
  const shapes = functionsOf(source).map((one) => [one.parameterCount, one.hasResult]);
  assertEquals(shapes, [[2, false], [3, false], [0, false]]);
  assertEquals(functionsOf(MAIN)[0]!.hasResult, true);
});

Deno.test("programFunctions() refuses what is no program, at its place", () => {
  assertThrows(() => functionsOf("fn kernel() {}"), TypeError, "as it has no main");
  const wrong: readonly (readonly [source: string, column: number, reason: string])[] = [
    [`fn kernel() {} ${MAIN}`, 4, "kernel is what a program is made to"],
    [`fn begin(a: u32) {} ${MAIN}`, 4, "begin is not as it has to be: write fn begin()"],
    [`fn end() -> i32 { return 1; } ${MAIN}`, 4, "end is not as it has to be: write fn end()"],
    ["fn main(argc: u32) {}", 4, "main is not as it has to be: write fn main(argc: u32"],
    ["fn main(argc: i32, argv: u32) {}", 4, "main is not as it has to be"],
    ["fn main(a: u32, b: u32, c: u32, d: u32) {}", 4, "main is not as it has to be"],
    ["fn main() -> u32 { return 0u; }", 4, "main is not as it has to be"],
    [`${MAIN} fn f() { if true {`, 35, "the end of f is missing: some bracket is not closed"],
    ["fn main() { f(1u;", 4, "the end of main is missing"],
    ["@compute @workgroup_size(1) fn main() {}", 32, "main is no entry point of a shader here"],
  ];
  for (const [source, column, reason] of wrong) {
    const error = assertThrows(() => functionsOf(source), KernelCompileError, reason);
    assertEquals([error.line, error.column], [1, column], source);
  }
});
