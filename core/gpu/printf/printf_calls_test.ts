import { assertEquals, assertThrows } from "@std/assert";
import { WgslText } from "../syntax/wgsl_text.ts";
import { type PrintfCall, printfCalls, PrintfError } from "./printf_calls.ts";

function calls(source: string): readonly PrintfCall[] {
  return printfCalls(new WgslText(source));
}

/** The pieces of the calls of a function with this body. */
function pieces(body: string): (string | undefined)[] {
  return calls(`fn f(v: vec2f) { ${body} }`).flatMap((call) =>
    call.pieces.map((piece) =>
      typeof piece === "string" ? piece : `${piece.text}:${piece.size}${piece.letter}`
    )
  );
}

Deno.test("printfCalls() finds calls in code, and none in comments", () => {
  const source = `
fn f() {
  // printf("%q")
  printf("a"); /* /* printf( */ printf("%d") */ printf( // %u
    "b %u\\n", /* , */ 1u);
}`;
  assertEquals(calls(source).map(({ position }) => [position.line, position.column]), [
    [4, 3],
    [4, 49],
  ]);
});

Deno.test("printfCalls() fills in strings and vectors", () => {
  assertEquals(pieces('printf("%s=%d%%\\n", "x", 1);'), ["x=", "%d:1d", "%\n"]);
  assertEquals(pieces('printf("[%-5s][%5.2s]", "ab", "cde");'), ["[ab   ][   cd]"]);
  assertEquals(pieces('printf("%v %.1v", v, vec3u());'), ["%v:2g", " ", "%.1v:3u"]);
  assertEquals(pieces('printf("%v4f %v2x", a + b, c);'), ["%v4f:4f", " ", "%v2x:2x"]);
  assertEquals(pieces('printf("%*.*f", w, p, x);'), ["%*.*f:1f"]);
});

Deno.test("printfCalls() takes comments, quotes and other letters in strings as text", () => {
  assertEquals(pieces('printf("// /* \\"q\\" é😀 , ) %s", "*/ ;");'), [
    '// /* "q" é😀 , ) */ ;',
  ]);
});

Deno.test("printfCalls() hides the format and strings with their commas", () => {
  const source = 'fn f() { printf("%d %s %d", a(1, 2), "t", b,); printf("%s%d", "u", c); }';
  const hidden = calls(source).map((call) => call.hidden.map(({ text }) => text).sort());
  assertEquals(hidden, [['"%d %s %d"', '"t"', ",", ",", ","], ['"%s%d"', '"u"', ",", ","]]);
});

Deno.test("printf may stand where a statement may", () => {
  pieces('if a { printf("a"); } else { printf("b"); } printf("c");');
  pieces('for (printf("a"); true; printf("b")) { printf("c"); { printf("d"); } }');
  pieces('switch a { case 1: { printf("a"); } default: { printf("b"); } }');
  pieces('loop { printf("a"); continuing { printf("b"); break if true; } }');
});

Deno.test("printfCalls() refuses what cannot be, and says the way out", () => {
  const inside = [
    ['let a = printf("a");', "printf has no value and is a statement of its own"],
    ['const a = printf("a");', "printf has no value"],
    ['f(printf("a"));', "printf has no value"],
    ['_ = 1 + printf("a");', "printf has no value"],
    ['printf("a") + 1;', "printf has no value"],
    ['printf("a"', "printf has no value"],
    ["printf();", 'its format is missing: write printf("text\\n")'],
    ["printf(text, 1);", "has to be a string literal"],
    ["printf(text, 1);", "current value is text"],
    ['printf("a" + b);', 'current value is "a" + b'],
    ['printf("\\q");', 'a string must be written like one in JSON: "\\q"'],
    ['printf("open);', "printf has no value"],
    ['printf("%d");', 'the format "%d" takes 1 argument and 0 are given'],
    ['printf("a", 1);', 'the format "a" takes 0 arguments and 1 is given'],
    ['printf("%d %%", 1, 2);', "takes 1 argument and 2 are given"],
    ['printf("%*d", 1);', "takes 2 arguments and 1 is given: each conversion takes one, each *"],
    ['printf("%y", 1);', "%y is no conversion"],
    ['printf("%s", name);', "the argument of %s has to be a string literal"],
    ['printf("%*s", 3, "a");', "has to be a string literal"],
    ['printf("%d", "a");', "%d takes i32"],
    ['printf("%*d", 1.5, 1);', "%*d takes i32 and 1.5 is f32"],
    ['printf("%v", a + b);', "write its size and letter, as %v3f"],
    ['printf("%v", "a");', '%v takes a value and "a" is a string: write %s'],
    ['printf("%*v", 3, array(1, 2));', "the * of %*v is for one number or vector"],
    ['printf("%u %u", 1,, 2);', "an argument is missing between two commas"],
    ['printf_if("a");', "its condition is missing: write printf_if(x > 1"],
    [
      'printf_if(1, "a");',
      "printf_if takes a bool before its format and 1 is a number: write 1 != 0",
    ],
    ["printf_if(true, 1);", "its format has to be a string literal"],
    ['printf_if(vec2<bool>(), "a");', "write all(vec2<bool>()), or any(vec2<bool>())"],
  ] as const;
  for (const [body, reason] of inside) {
    assertThrows(() => calls(`fn f() { ${body} }`), PrintfError, reason, body);
  }
  const outside = [
    ['printf("a");', "printf stands outside of a function"],
    ['const a = printf("a");', "printf stands outside of a function"],
    ["fn printf(a: u32) {}", "printf is declared here"],
  ] as const;
  for (const [source, reason] of outside) {
    assertThrows(() => calls(source), PrintfError, reason, source);
  }
});

Deno.test("the error of a call stands where it is wrong", () => {
  const source = 'fn f() {\n  printf("%d %u",\n    1,\n    1.5);\n}';
  const error = assertThrows(() => calls(source), PrintfError);
  assertEquals([error.line, error.column], [4, 5]);
});
