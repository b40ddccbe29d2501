import { assertEquals, assertThrows } from "@std/assert";
import { WgslText } from "../syntax/wgsl_text.ts";
import { PrintfError } from "./printf_error.ts";
import { PrintfShader } from "./printf_shader.ts";

function shaderOf(source: string): PrintfShader {
  return new PrintfShader(new WgslText(source));
}

Deno.test("PrintfShader refuses more calls than it has names", () => {
  const source = `fn f() { ${'printf("");'.repeat(1024)} }`;
  assertThrows(() => shaderOf(source), PrintfError, "at most 1023 calls of printf");
});

Deno.test("a name that generated code needs is refused where it is declared", () => {
  const source = 'fn f() {}\nfn arrayLength() {} fn g() { printf("a"); }';
  const error = assertThrows(() => shaderOf(source), PrintfError, "rename it");
  assertEquals([error.line, error.column], [2, 4]);
  shaderOf("fn arrayLength() {}"); // nothing prints
});

Deno.test("PrintfShader keeps arguments in the silent text, and lines and names of the author's", () => {
  const shader = shaderOf('fn f(p: ptr<function, u32>) {\n  printf_if(next(), "%v", p);\n}');
  const lines = shader.silentSource.split("\n");
  assertEquals(lines, [
    "fn f(p: ptr<function, u32>) {",
    "  pf_000   (next()      , *(p));",
    "}",
    "fn pf_000(a0: bool, a1: u32) {}",
  ]);
  assertEquals(shader.authorPosition("silent", { line: 2, column: 29 }).column, 27);
  assertEquals(shader.authorWords("no pf_000 here"), "no printf_if here");
});
