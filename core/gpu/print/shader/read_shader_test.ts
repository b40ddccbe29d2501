import { assert, assertEquals, assertThrows } from "@std/assert";
import { WrittenText } from "../printf_error.ts";
import { PrintfError } from "../printf_error.ts";
import { PrintingShader } from "./printing_shader.ts";
import { fileOf, readShader } from "./read_shader.ts";
import { withPrintf } from "../with_printf.ts";

/** Statements that are wrong at the mark §, which is not in them, and how the reason ends. */
const WRONG: readonly (readonly [statement: string, wayOut: string])[] = [
  ['printf("%b %b", b < 2u, f > 2.0);', "write (a < b), (c > d)"],
  ['printf("%u,", b,§, b);', "an argument is missing between two commas"],
  ['printf(§"x);', 'write " at its end, and \\n for a new line'],
  ['§printf("x")', "write printf(...);"],
  ["§assert(b > 2u) b = 2u;", "write assert(...);"],
  ['§printf("a") + 1;', "printf has no value and is a statement of its own: write printf(...);"],
  ['printf §"x";', 'and only printf, printf_if, assert take them: write printf("x")'],
  ['console.log(§"x");', 'write printf("x")'],
  ['printf_if(b §= 1u, "x");', "a condition compares: write b == 1u"],
  ["assert(b §= 1u);", "write b == 1u"],
  ['assert((b §= 1u) && true, "x", b);', "write (b == 1u) && true"],
  ['printf("%v" §b);', "a comma is missing: write , b"],
  ['assert(b == 1 §"x");', 'a comma is missing: write , "x"'],
  ['printf("%u", b§;', ") is expected and not ;"],
  // What parses is told by what reads the calls.
  ['printf("%d\\n", §b);', "%d takes i32 and b is u32: write %u"],
  ['let q = §printf("x");', "write printf(...);"],
  ['if §printf("x") { }', "write printf(...);"],
];

function shaderWith(statement: string): string {
  return `fn g() {}\r\n@compute @workgroup_size(4) fn main(@builtin(local_invocation_index) b: u32) {
  let f = f32(b);\r\n  ${statement}\n}`;
}

Deno.test("what is wrong with a call is told at its line and column, with the way out", () => {
  for (const [statement, wayOut] of WRONG) {
    const marked = shaderWith(statement.includes("§") ? statement : `§${statement}`);
    const error = assertThrows(() => withPrintf(marked.replace("§", "")), PrintfError);
    const { line, column, offset, reason } = error;
    const wanted = new WrittenText(marked);
    assertEquals(offset, marked.indexOf("§"), `${statement}: ${reason}`);
    assertEquals(wanted.indexAt({ line, column }), offset, statement);
    assertEquals(reason.endsWith(wayOut), true, `${statement}: ${reason}`);
  }
});

Deno.test("what is no WGSL goes to its compiler without what prints, in the same places", () => {
  for (
    const [marked, isPrinting] of [
      ["fn f() { «» newer thing; }", false],
      ['fn f() { «printf("a, \\" ) %u", g(x[1], (2)));» newer thing; }', true],
      ['fn f() { newer thing; «printf_if(true,\n  "a"\n );» «assert(a < b);» }', true],
      ['// printf("a")\nfn f() { let x = (1; }', false],
      ["fn printf(x: u32) {} fn f() { printf(1); newer thing; a.assert(1); }", false],
      // It does not end: whatever it is, it stays.
      ['fn f() { newer thing; printf("a"; }', true],
    ] as const
  ) {
    const read = readShader(marked.replaceAll(/[«»]/g, ""));
    assert(!(read instanceof PrintingShader || read instanceof PrintfError), marked);
    const plain = marked.replaceAll(
      /«(.*?);?»/gs,
      (all, call) => call.replaceAll(/[^\n]/g, " ") + (all.includes(";»") ? ";" : ""),
    );
    assertEquals([read.code, read.isPrinting], [plain, isPrinting], marked);
    const { line, column } = read.error;
    assert(line >= 1 && column > 1);
    // Who asks for this one text is told.
    assertThrows(() => withPrintf(read.code), PrintfError);
  }
});

Deno.test("fileOf() is what a text calls its file", () => {
  assertEquals(fileOf("fn f() {}\n//# sourceURL=src/a.wgsl\n"), "src/a.wgsl");
  assertEquals(fileOf("fn f() {} // no //# sourceURL=a.wgsl"), undefined);
});
