import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { fn, hostApi, nothing } from "../../signature/mod.ts";
import { KernelCompileError } from "../wgsl/kernel_compile.ts";
import { ProgramPhase, programText } from "./program_text.ts";

const GRID = { threadCount: 3, blockCount: 2 };
const MAIN = "fn main() -> i32 { return 0; }";

Deno.test("programText() has a phase for each function that is there", () => {
  const { begin, main, end } = ProgramPhase;
  assertEquals(programText(MAIN, GRID).phases, [main]);
  assertEquals(programText(`fn begin() {} ${MAIN}`, GRID).phases, [begin, main]);
  assertEquals(programText(`${MAIN} fn end() {}`, GRID).phases, [main, end]);
  assertEquals(programText(`fn end() {} ${MAIN} fn begin() {}`, GRID).phases, [begin, main, end]);
});

Deno.test("programText() calls main with as many words as it takes, in the threads of the grid", () => {
  const kernelOf = (main: string) => programText(main, GRID).kernel;
  assertStringIncludes(kernelOf(MAIN), "if index >= 6u { return; }");
  assertStringIncludes(kernelOf(MAIN), "let status = main();");
  const two = kernelOf("fn main(argc: u32, argv: u32) -> i32 { return 0; }");
  assertStringIncludes(two, "main(bitcast<u32>(program_words[1]), bitcast<u32>(program_words[2]))");
  const three = kernelOf("fn main(argc: u32, argv: u32, envp: u32) {}");
  assertStringIncludes(three, "bitcast<u32>(program_words[3])); }");
  assertEquals(three.includes("status"), false);
});

Deno.test("programText() keeps lines and columns, also of a begin that kernels have, too", () => {
  const source =
    `// begin\nfn begin() { var x = 1; }\nstruct S { begin: u32, Begin: u32 }\n${MAIN}`;
  const [, second, third, fourth] = programText(source, GRID).kernel.split("\n");
  assertEquals(second, "fn bEgin() { var x = 1; }");
  assertEquals(third, "struct S { bEgin: u32, Begin: u32 }");
  assertEquals(fourth, MAIN);
});

Deno.test("programText() takes names that the text does not have", () => {
  const { kernel } = programText(`var<private> program_words: u32; ${MAIN}`, GRID);
  assertStringIncludes(kernel, "read_write> program_x_words: array<i32>;");
});

Deno.test("programText() refuses what is no program, at its place", () => {
  assertThrows(() => programText("fn kernel() {}", GRID), TypeError, "as it has no main");
  const wrong: readonly (readonly [source: string, column: number, reason: string])[] = [
    [`fn kernel() {} ${MAIN}`, 4, "kernel is what a program is made to"],
    [`fn begin(a: u32) {} ${MAIN}`, 4, "begin takes nothing"],
    [`fn end() -> u32 { return 1u; } ${MAIN}`, 4, "end takes nothing"],
    ["fn main(argc: u32) {}", 4, "main is not as it has to be"],
    ["fn main(argc: i32, argv: u32) {}", 4, "main is not as it has to be"],
    ["fn main(a: u32, b: u32, c: u32, d: u32) {}", 4, "main is not as it has to be"],
    ["fn main() -> u32 { return 0u; }", 4, "main is not as it has to be"],
    ["@compute @workgroup_size(1) fn main() {}", 32, "main is no entry point"],
  ];
  for (const [source, column, reason] of wrong) {
    const error = assertThrows(() => programText(source, GRID), KernelCompileError, reason);
    assertEquals([error.line, error.column], [1, column], source);
  }
});

Deno.test("programText() says which of the APIs it is offered the program calls", () => {
  const apis = ["one", "two"].map((name) => hostApi(name, { f: fn([], nothing) }));
  const { apis: used } = programText("fn main() { two_f(); }", GRID, apis);
  assertEquals(used, [apis[1]!]);
});
