import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { fn, hostApi, nothing } from "../../signature/mod.ts";
import { KernelCompileError } from "../wgsl/kernel_compile.ts";
import { ProgramPhase } from "./program_functions.ts";
import { programText } from "./program_text.ts";

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
  const begin = kernelOf(`fn begin(a: u32, b: u32) {} ${MAIN}`);
  assertStringIncludes(begin, "if phase == 0 && index == 0u { Begin(bitcast<u32>(");
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

Deno.test("programText() says which of the APIs it is offered the program calls", () => {
  const apis = ["one", "two"].map((name) => hostApi(name, { f: fn([], nothing) }));
  const { apis: used } = programText("fn main() { two_f(); }", GRID, apis);
  assertEquals(used, [apis[1]!]);
});

Deno.test("programText() has constants of the grid in the sizes of globals", () => {
  const source = `var<storage, read_write> a: array<u32, THREAD_COUNT * BLOCK_COUNT>; ${MAIN}`;
  assertEquals(programText(source, GRID).globalsBytes, [24]);
});

Deno.test("programText() refuses a comment without its end, where it begins", () => {
  const error = assertThrows(
    () => programText(`${MAIN}\n  /* left open`, GRID),
    KernelCompileError,
    "this comment is not closed: write */",
  );
  assertEquals([error.line, error.column], [2, 3]);
});
