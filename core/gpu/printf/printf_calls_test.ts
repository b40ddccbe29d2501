import { assertEquals, assertNotEquals, assertThrows } from "@std/assert";
import { WgslText } from "../syntax/wgsl_text.ts";
import { checkArgument } from "./printf_arguments.ts";
import { type PrintfCall, printfCalls, PrintfError, refuseAt } from "./printf_calls.ts";
import { onDevice } from "../device/on_device_test.ts";
import { type Conversion, parseFormat } from "../../text/conversion.ts";
import { withPrintf } from "./with_printf.ts";

Deno.test("a PrintfError shows the line, and says where in it", () => {
  const text = new WgslText("one\ntwo three\nfour");
  const error = assertThrows(() => refuseAt(text, text.tokens[2]!, "it is so"));
  assertEquals(error instanceof PrintfError, true);
  const { line, column, message, reason } = error as PrintfError;
  assertEquals([line, column, reason], [2, 5, "it is so"]);
  assertEquals(message, "Cannot print as line 2, column 5 is wrong: it is so\n2 | two three");
});

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
    ['printf("%v", a + b);', "say its size and letter in the format, as %f, %v3f"],
    ['printf("%v", "a");', '%v takes a value and "a" is a string: write %s'],
    ['printf("%*v", 3, array(1, 2));', "the * of %*v is for one number or vector"],
    ['printf("%u %u", 1,, 2);', "an argument is missing between two commas"],
    ['printf_if("a");', "its condition is missing: write printf_if(x > 1"],
    [
      'printf_if(1, "a");',
      "printf_if takes a bool before its format and 1 is a number: write 1 != 0",
    ],
    ["printf_if(true, 1);", "its format has to be a string literal"],
    ['printf_if(vec2<bool>(), "a");', "write any(vec2<bool>())"],
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

function refuse(format: string, source: string): void {
  const conversion = parseFormat(format)[0] as Conversion;
  const text = new WgslText(source);
  checkArgument(text, { start: 0, end: text.tokens.length }, { conversion, isExtent: false });
}

Deno.test("a literal that fits is taken, and so is any other expression", () => {
  const cases = [
    ["%d", ["1", "-1", "1i", "0x1F", "-2i"]],
    ["%u", ["1", "1u", "0xffu", "x", "f(1.5)", "1.5 + x", "max(1u, 2)", "vec3u(1).x"]],
    ["%f", ["1", "-1", "1.5", "1f", ".5", "1e3", "0x1p3", "-2.5f", "0x1.8p0f"]],
    ["%v3f", ["x", "vec3f(1u)", "vec3(1, 2, 3)", "vec3f() * 2"]],
  ] as const;
  for (const [format, texts] of cases) for (const text of texts) refuse(format, text);
});

Deno.test("a literal that does not fit is refused, with the way out", () => {
  const cases = [
    ["%d", "1.5", "%d takes i32 and 1.5 is f32: write %f"],
    ["%d", "1u", "%d takes i32 and 1u is u32: write %u"],
    ["%u", "-1", "%u takes u32 and -1 is negative: write %d"],
    ["%5x", "2i", "%5x takes u32 and 2i is i32: write %d"],
    ["%u", "1e3", "1e3 is f32"],
    ["%f", "1u", "%f takes f32 and 1u is u32: write %u"],
    ["%g", "2i", "2i is i32"],
    ["%d", "1.5h", "1.5h is f16: write %f"],
    ["%u", "true", "%u takes u32 and true is a bool: write %b"],
    ["%b", "1", "%b takes bool and 1 is a number: write %d"],
    ["%d", '"a"', '%d takes i32 and "a" is a string: write %s'],
    ["%v3f", "1.5", "%v3f takes vec3<f32> and 1.5 is f32: write %f"],
    ["%v2d", "1", "%v2d takes vec2<i32> and 1 is a number: write %d"],
  ] as const;
  for (const [format, text, reason] of cases) {
    assertThrows(() => refuse(format, text), PrintfError, reason);
  }
});

Deno.test("the error stands at the literal", () => {
  const error = assertThrows(() => refuse("%d", "\n  1.5"), PrintfError);
  assertEquals([error.line, error.column], [2, 3]);
});

onDevice("what a message advises for an argument prints it", async ({ device }) => {
  const shaderOf = (format: string, value: string) => `
struct S { a: vec2f, b: u32 }
@group(0) @binding(0) var<storage, read_write> s: S;
@group(0) @binding(1) var<storage, read_write> count: atomic<u32>;
@compute @workgroup_size(1) fn main(@builtin(local_invocation_index) i: u32) {
  ${value.includes("half") ? "let half = 1.5h; let half3 = vec3h(half);" : ""}
  let is = i == 1u; let are = vec2<bool>(is); let m = mat2x3f(); let a = array(1, 2);
  var x = 1.5; let p = &x;
  printf("${format}", ${value});
}`;
  const advised = async (format: string, value: string): Promise<void> => {
    let error: unknown;
    try {
      const shader = withPrintf(shaderOf(format, value));
      // The device of tests has no f16.
      if (!value.includes("half")) await shader.compile(device);
      return;
    } catch (thrown) {
      error = thrown;
    }
    const [, wayOut = ""] = /: write (.+)$/m.exec((error as PrintfError).message) ?? [];
    const [, conversion = format, other] = /^(%\S+)?(?: and )?(.*)$/.exec(wayOut)!;
    const next = other?.replace(/^.*, as |, what it .*$/g, "") || value;
    assertNotEquals([conversion, next], [format, value], `${error}`);
    return advised(conversion, next);
  };
  const values = "half half3 is are m a p s s.a count x i 1.5 1u -1 s.a.x m[0] a[0]";
  for (const value of values.split(" ")) {
    for (const format of ["%d", "%5.1f", "%u", "%v", "%v2d", "%v3f"]) await advised(format, value);
  }
});
