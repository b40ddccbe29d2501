import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { KernelText } from "../kernel/kernel_text.ts";
import { TextFault } from "../text/lines.ts";
import { Module } from "../text/module.ts";
import { KernelCompileError } from "../wgsl/kernel_compile.ts";
import { programFunctions, programGlobals, ProgramPhase, programText } from "./program_text.ts";
import { fn, hostApi, nothing } from "../../signature/mod.ts";

const MAIN = "fn main() -> i32 { return 0; }";

function functionsOf(source: string) {
  return programFunctions(new Module(source));
}

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
    ["@compute @workgroup_size(1) fn main() {}", 32, "main is no entry point of a shader here"],
  ];
  for (const [source, column, reason] of wrong) {
    const { start } = assertThrows(() => functionsOf(source), TextFault, reason);
    assertEquals(start + 1, column, source);
  }
});

function globalsOf(source: string) {
  const module = new Module(source);
  const text = new KernelText(module, { constants: { THREAD_COUNT: 3 } });
  const sizesBytes = programGlobals(text, { firstBinding: 1, storageBuffersMax: 9 });
  return { text: text.printed().text, sizesBytes };
}

Deno.test("programGlobals() makes bindings of what threads share, one after the other", () => {
  const source = `var<private> own: u32;
    var<storage, read_write> sum: atomic<u32>; const COUNT = 3u; // var<storage> x
    var<storage, read_write> counts: array<atomic<u32>, COUNT * 4u>;`;
  const { text, sizesBytes } = globalsOf(source);
  assertEquals(sizesBytes, [4, 48]);
  const bound = (binding: number) => `@group(1) @binding(${binding}) var<storage, read_write>`;
  const wanted = source.replace("var<storage, read_write> sum", `${bound(1)} sum`)
    .replace("var<storage, read_write> counts", `${bound(2)} counts`);
  assertEquals(text, wanted);
});

Deno.test("programGlobals() sizes structs, vectors and halves", () => {
  const global = (type: string) => `var<storage, read_write> value: ${type};`;
  const struct = "struct Totals { sum: atomic<u32>, at: vec3f, list: array<atomic<i32>, 2> }";
  assertEquals(globalsOf(`${struct} ${global("Totals")}`).sizesBytes, [48]);
  assertEquals(globalsOf(global("array<vec3<f32>, 2>")).sizesBytes, [32]);
  assertEquals(globalsOf(global("f16")).sizesBytes, [4]);
  assertEquals(globalsOf(global("array<u32, 2 * THREAD_COUNT>")).sizesBytes, [24]);
});

Deno.test("programGlobals() refuses what it cannot place, with the way out", () => {
  const wrong: readonly (readonly [source: string, reason: string])[] = [
    ["@group(1) @binding(0) var<storage, read_write> a: u32;", "leave out @group and @binding"],
    ["var<storage> a: u32;", "a global is var<storage, read_write>"],
    ["var<storage, read_write> a: array<u32>;", "its size is not known"],
    ["var<storage, read_write> a: Nothing;", "its size is not known"],
    [
      "var<storage, read_write> b: u32; var<storage, read_write> c: u32; var<storage, read_write> a: u32;",
      "at most 2 globals here, of the 9 storage buffers of this device: make members of one struct",
    ],
  ];
  for (const [source, reason] of wrong) {
    const { start } = assertThrows(() => globalsOf(source), TextFault, reason);
    assertEquals(start, source.indexOf("a: "), source);
  }
  const valued = "var<storage, read_write> a: u32 = 3u;";
  const { start } = assertThrows(() => globalsOf(valued), TextFault, "in fn begin()");
  assertEquals(start, valued.indexOf("3u"));
});

const GRID = { threadCount: 3, blockCount: 2 };

Deno.test("programText() has a phase for each function that is there", () => {
  const { begin, main, end } = ProgramPhase;
  assertEquals(programText(MAIN, GRID).phases, [main]);
  assertEquals(programText(`fn begin() {} ${MAIN}`, GRID).phases, [begin, main]);
  assertEquals(programText(`${MAIN} fn end() {}`, GRID).phases, [main, end]);
  assertEquals(programText(`fn end() {} ${MAIN} fn begin() {}`, GRID).phases, [begin, main, end]);
});

Deno.test("programText() keeps lines and columns, also of a begin that kernels have, too", () => {
  const source = `// begin\nfn begin() { var x = 1; }\nstruct S { begin: u32 }\n${MAIN}`;
  const printed = programText(source, GRID).text.printed().text;
  assertEquals(printed.slice(0, source.length), source);
});

Deno.test("programText() takes names that the text does not have", () => {
  const { text } = programText(`var<private> program_words: u32; ${MAIN}`, GRID);
  assertStringIncludes(text.printed().text, "read_write> program_x_words: array<i32>;");
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

Deno.test("programText() refuses a bracket that is not closed, where it is", () => {
  const wrong = [
    [`${MAIN} fn f() { if true {`, 49, "this bracket is not closed: } is missing"],
    ["fn main() { f(1u;", 17, ") is expected and not ;"],
  ] as const;
  for (const [source, column, reason] of wrong) {
    const error = assertThrows(() => programText(source, GRID), KernelCompileError, reason);
    assertEquals(error.column, column, error.message);
  }
});
