import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { translate } from "naga-wasm";
import { Module } from "../../text/module.ts";
import { PrintFault } from "../print_calls.ts";
import { authorPosition, PrintingShader } from "./printing_shader.ts";

function shaderOf(source: string): PrintingShader {
  return new PrintingShader(new Module(source));
}

function ringText(source: string): string {
  return shaderOf(source).ringText({ group: 1, binding: 2, hasDispatch: true }).text;
}

Deno.test("PrintingShader refuses more than a record's head can number, and than a function takes", () => {
  assertThrows(
    () => shaderOf(`fn f() { ${'printf("");'.repeat(1024)} }`),
    PrintFault,
    "at most 1023 calls of printf: there are 1024",
  );
  const wide = (count: number, name: string) =>
    shaderOf(`fn f() { ${name}"${"%u".repeat(count)}"${", 1".repeat(count)}); }`);
  for (const [name, most] of [["printf(", 255], ["printf_if(true, ", 254]] as const) {
    wide(most, name);
    assertThrows(() => wide(most + 1, name), PrintFault, "at most 255 arguments");
  }
});

Deno.test("a name that generated code needs is refused where it is declared", () => {
  const source = 'fn f() {}\nfn arrayLength() {} fn g() { printf("a"); }';
  assertEquals(assertThrows(() => shaderOf(source), PrintFault, "rename it").start, 13);
  shaderOf("fn arrayLength() {}"); // nothing prints
});

Deno.test("the silent text keeps arguments where they are, and names of the author's", () => {
  const source = `@compute @workgroup_size(1) fn f() { var x = 1u; let p = &x;
  printf_if(next(), "%v", p); assert(
    x < 2u, // why
    "%u", x, ); let y: i32 = nowhere;
}`;
  const shader = shaderOf(source);
  const printed = shader.silentText();
  assertEquals(printed.text.split("\n"), [
    "@compute @workgroup_size(1) fn f() { var x = 1u; let p = &x;",
    "  p_1(     (next()),    *(p)); p_2(   ",
    "   (x < 2u),      ",
    "          x  ); let y: i32 = nowhere;",
    "}",
    "fn p_1(when: bool, a0: u32) {}",
    "fn p_2(when: bool, a0: u32) {}",
  ]);
  const found = { line: 4, column: source.split("\n")[3]!.indexOf("nowhere") + 1 };
  assertEquals(authorPosition(shader.module, printed, found), found);
  assertEquals(shader.authorWords("no p_1 here, nor p_2"), "no printf_if here, nor assert");
});

Deno.test("an assert prints its condition in one line, and where it stands", () => {
  const [call] =
    shaderOf('fn f(x: u32) { assert(x\n  < /* so */ 2u, "100%% of %u\\n\\n", x); }').calls;
  assertEquals(call!.pieces.map((piece) => typeof piece === "string" ? piece : piece.text), [
    "assertion failed: x < 2u: 100% of ",
    "%u",
    "\n",
  ]);
  assertEquals([call!.position, call!.isAssert], [{ line: 1, column: 16 }, true]);
});

const SHARED = `fn noise(x: f32) -> f32 { printf("%v", x); assert(x < 9.0); return inner(x); }
fn inner(x: f32) -> f32 { printf("i"); return fract(x); }
fn dead() { printf("dead"); assert(false); _ = noise(1.0); for (printf("a"); ; printf("b")) { } }
fn placed(x: f32) -> f32 { return noise(x); }
@vertex fn vs() -> @builtin(position) vec4f { return vec4f(placed(1.0)); }
@fragment fn fs() -> @location(0) vec4f { return vec4f(noise(2.0)); }`;

Deno.test("a vertex stage has plain copies of what prints for others, and what nobody reaches is plain", () => {
  for (const text of [ringText(SHARED), shaderOf(SHARED).silentText().text]) {
    const lines = text.split("\n").map((line, at) =>
      at === 0 ? line : line.replaceAll(/ +(?=[;)])/g, " ")
    );
    assertStringIncludes(lines[0]!, "p_1(         x)");
    assertEquals(lines[2], "fn dead() { ; ; _ = printf_plain_noise(1.0); for ( ; ; ) { } }");
    assertEquals(lines[3], "fn placed(x: f32) -> f32 { return printf_plain_noise(x); }");
    assertStringIncludes(lines[5]!, "vec4f(noise(2.0))");
    assertEquals(lines.slice(6, 8), [
      "fn printf_plain_noise(x: f32) -> f32 { ; ; return printf_plain_inner(x); }",
      "fn printf_plain_inner(x: f32) -> f32 { ; return fract(x); }",
    ]);
  }
  const { sharedNames, printing } = shaderOf(SHARED);
  assertEquals([sharedNames, printing], [["noise", "inner"], [{ name: "fs", stage: "fragment" }]]);
});

Deno.test("what only a vertex stage reaches is refused, with the way to the call", () => {
  const source =
    '@vertex fn v() -> @builtin(position) vec4f { a(); return b; }\nfn a() { c(); }\nfn c() { printf("a"); }';
  const { start } = assertThrows(
    () => shaderOf(source),
    PrintFault,
    "the vertex stage of v > a > c reaches it",
  );
  assertEquals(start, source.indexOf("printf"));
});

Deno.test("the ring's text stands at its bindings, with names that nobody has", () => {
  const text = ringText(
    'var<private> printf_ring: u32; @compute @workgroup_size(1) fn m() { printf(""); }',
  );
  assertStringIncludes(
    text,
    "@group(1) @binding(2) var<storage, read_write> printf_x_ring: printf_x_Ring;",
  );
  assertStringIncludes(text, "@group(1) @binding(3) var<uniform> printf_x_dispatch: vec4<u32>;");
  assertStringIncludes(text, "printf_x_call_count = 1u");
  const alone = shaderOf("fn f() {}").ringText({ group: 0, binding: 0, hasDispatch: false }).text;
  assertStringIncludes(alone, "var<private> printf_dispatch: vec4<u32>;");
  new Module(text);
});

Deno.test("60 functions that call each other twice are not printed twice", () => {
  const functions = Array.from(
    { length: 60 },
    (_, at) =>
      `fn g_${at}(x: f32) -> f32 { ${
        at === 59 ? "assert(x < 3.0); return x;" : `return g_${at + 1}(x) + g_${at + 1}(x + 1.0);`
      } }`,
  );
  const source = `${functions.join("\n")} @compute @workgroup_size(1) fn main() { _ = g_0(1.0); }`;
  assertEquals(ringText(source).length < 2 * source.length + 4000, true);
});

Deno.test("a compiler takes both texts of a shader with f16, which few adapters have", () => {
  const shader = shaderOf(`enable f16;
fn f(h: f16) -> f16 { assert(h < 2.0h, "%v %.1f", h, h); return h; }
@compute @workgroup_size(1) fn main() {
  var v = vec3h(1, 2, 3); printf("%v %v\\n", v, mat2x2h(1, 2, 3, 4)); v.x = f(v.y); v[u32(v.z)] *= f(3.0h);
}`);
  const bindings = { group: 0, binding: 0, hasDispatch: true };
  for (const { text } of [shader.silentText(), shader.ringText(bindings)]) {
    const words = translate({ from: "wgsl", to: "spirv", source: text }) as Uint32Array;
    assertEquals(words[0], 0x07230203, "the magic number of SPIR-V");
  }
});
