import { assertEquals, assertThrows } from "@std/assert";
import { PrintfError } from "../print/printf_error.ts";
import { withPrintf } from "../print/with_printf.ts";
import { WgslText } from "../syntax/wgsl_text.ts";
import { withDebug } from "./with_debug.ts";

/** Statements that are wrong at the mark §, which is not in them, and how the reason ends. */
const WRONG: readonly (readonly [statement: string, wayOut: string])[] = [
  // The type of an argument.
  ['printf("%d\\n", §b);', "%d takes i32 and b is u32: write %u"],
  ['printf("%u", §a);', "%u takes u32 and a is i32: write %d"],
  ['printf("%f", §b);', "write %u"],
  ['printf("%d", §f);', "write %f"],
  ['printf("%d", §v);', "write %v3f"],
  ['printf("%v2f", §v);', "write %v3f"],
  ['printf("%v3f", §list);', "write %v"],
  ['printf("%f", §list[2]);', "%f takes f32 and list[2] is u32: write %u"],
  ['printf("%*d", §f, a);', "the * of %*d takes i32 and f is f32: write i32(f)"],
  ['printf("%u", §count);', "write atomicLoad(&count)"],
  ['printf("%u", §-1);', "%u takes u32 and -1 is negative: write %d"],
  ['printf("%i", §true);', "%i takes i32 and true is a bool: write %b"],
  ['printf("%f", §mat2x2f());', "write %v"],
  ['printf("%v", §picture);', "texture_2d<f32> holds no value that can be shown"],
  // Names.
  ['printf("%v", §nothing);', "nothing is not declared here"],
  ['printf("%v", §main);', "main is no value: write main(...)"],
  ['printf("%v", §vec3f);', "vec3f is no value: write vec3f(...)"],
  // Formats, and how many arguments.
  ['§printf("%d");', "each conversion takes one, each * one more, and %% none"],
  ['§printf("%b %b", b < 2u, f > 2.0);', "write (a < b), (c > d)"],
  ['printf("%u,", b,§, b);', "an argument is missing between two commas"],
  ['printf(§"%y", b);', "use %d %i %u %x %X %o %f %F %e %E %g %G %b %s %v %v3f %%"],
  ['printf(§"%ld", a);', "leave l out"],
  ['printf(§"%5000d", a);', "a width or precision is at most 4095: %5000d has 5000"],
  ['printf(§"x\\q");', 'a string must be written like one in JSON: "x\\q"'],
  ['printf(§"x);', 'write " at its end, and \\n for a new line'],
  ["printf(§b);", "as WGSL has no strings: current value is b"],
  ['printf("%s", §b);', "as WGSL has no strings: current value is b"],
  ["§printf();", 'write printf("text\\n")'],
  // Statements.
  ['let q = §printf("x");', "write printf(...);"],
  ['if §printf("x") { }', "write printf(...);"],
  ['§printf("x")', "write printf(...);"],
  ['printf §"x";', 'and only printf, printf_if take them: write printf("x")'],
  ['console.log(§"x");', 'write printf("x")'],
  ['Printf(§"x");', 'write printf("x")'],
  // Conditions.
  ['printf_if(§"x");', 'write printf_if(x > 1, "text\\n")'],
  ['printf_if(§b, "x");', "write b != 0"],
  ['printf_if(§v > vec3f(1), "x");', "write all(v > vec3f(1)), or any(v > vec3f(1))"],
  ['printf_if(b §= 1u, "x");', "a condition compares: write b == 1u"],
  ["§assert();", 'write assert(x < 4u, "x is %u", x)'],
  ["assert(§b);", "write b != 0"],
  ['assert(§"x", b > 1u);', 'write assert(false, "x")'],
  ['assert(b > 1u, "%d", §b);', "write %u"],
  ['§assert(b > 1u, "x", b);', "and %% none"],
  ["let x = §assert(true);", "write assert(...);"],
  ["assert(§v > vec3f());", "write all(v > vec3f()), or any(v > vec3f())"],
  ["assert(b §= 1u);", "write b == 1u"],
  ['printf_if(b > 2 || (f < 1 && §b), "x");', "write b != 0"],
  ['printf("%v", §no_result());', "no_result gives nothing back"],
  ['printf("%v", §p.nope);', "nope is no member: there are at, id"],
  ['printf(§"100%\\n");', "use %d %i %u %x %X %o %f %F %e %E %g %G %b %s %v %v3f %%"],
  ['printf("%v" §b);', "a comma is missing: write , b"],
  ['assert(b == 1 §"x");', 'a comma is missing: write , "x"'],
  ['prinf(§"x");', 'write printf("x")'],
  // Operators.
  ["assert(§m == m);", "m is mat2x2<f32>: compare its parts"],
  ["assert(b > 1u && §list != list);", "list is array<u32, 3>: compare its parts"],
  ['printf_if(!(§p == p), "x");', "p is P: compare its parts"],
  ['printf("%b", §q == q);', "q is a pointer: write *q, what it points to"],
  ["assert(§count == 1u);", "count is atomic<u32>: write atomicLoad(&count)"],
  ['printf("%v", §*b);', "b is u32: write b"],
  ['printf("%u", 2u * §*list[0]);', "list[0] is u32: write list[0]"],
  ["assert(§*b == 2u);", "b is u32: write b"],
];

function shaderWith(statement: string): string {
  return `struct P { at: vec2f, id: u32 } fn no_result() { }
@group(0) @binding(0) var picture: texture_2d<f32>;
var<workgroup> count: atomic<u32>;
@compute @workgroup_size(4) fn main(@builtin(local_invocation_index) b: u32) {
  let a = i32(b); let f = f32(b); let v = vec3f(f); let list = array(b, b, b); var p: P; let m = mat2x2f(); let q = &p;
  ${statement}
}`;
}

Deno.test("a wrong use is told at its line and column, with the way out", () => {
  for (const [statement, wayOut] of WRONG) {
    const marked = shaderWith(statement);
    const rewrite = statement.includes("assert") ? withDebug : withPrintf;
    const error = assertThrows(() => rewrite(marked.replace("§", "")), PrintfError, "", statement);
    const { line, column } = error;
    assertEquals({ line, column }, new WgslText(marked).positionAt(marked.indexOf("§")), statement);
    assertEquals(error.reason.endsWith(wayOut), true, `${statement}: ${error.reason}`);
  }
});

Deno.test("a wrong option is told with the right ones", () => {
  const source = "@compute @workgroup_size(1) fn main() { }";
  for (
    const [options, reason] of [
      [{ onFail: "stop" }, "there is no option onFail: did you mean onFailure"],
      [{ onFailure: "go" }, "onFailure must be one of stop, continue"],
    ] as const
  ) {
    assertThrows(() => withDebug(source, options as object), TypeError, reason);
  }
  assertThrows(
    () => withPrintf(source, { grup: 1 } as object),
    TypeError,
    "there is no option grup: did you mean group",
  );
  assertThrows(() => withPrintf(source, null as never), TypeError, "there is no option null");
  assertThrows(() => withDebug(source, null as never), TypeError, "there is no option null");
  assertThrows(() => withPrintf(5 as never), TypeError, "it must be a text of WGSL");
  const { attach } = withPrintf(source);
  assertThrows(() => attach(undefined as never), TypeError, "attach() takes a GPUDevice");
});
