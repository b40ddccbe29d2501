import { assertEquals, assertNotEquals, assertThrows } from "@std/assert";
import { type Conversion, parseFormat } from "../../text/conversion.ts";
import { onDevice } from "../device/on_device_test.ts";
import { WgslText } from "../syntax/wgsl_text.ts";
import { checkArgument } from "./printf_arguments.ts";
import { PrintfError } from "../print/printf_error.ts";
import { withPrintf } from "../print/with_printf.ts";

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
