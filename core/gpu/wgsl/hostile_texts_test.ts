import { assert, assertEquals, assertThrows } from "@std/assert";
import { channelLayout } from "../../toggle/layout.ts";
import { oneDispatchText } from "../one_dispatch/one_dispatch_parts.ts";
import { withPrintf } from "../print/with_printf.ts";
import { programText } from "../program/program_text.ts";
import { KernelCompileError } from "./kernel_compile.ts";
import { kernelSource } from "./kernel_source.ts";

const layout = channelLayout({ portCount: 4, laneCount: 2 });
/** What ends a line of WGSL beside a line feed. */
const BREAKS = ["\r\n", "\r", "\v", "\f", "\u0085", "\u2028", "\u2029"];

/** All that a text of somebody's comes in by, and what is made of it. */
const ENTRANCES: Readonly<Record<string, (source: string) => unknown>> = {
  kernel: (source) => kernelSource(source, { layout }).code,
  heap: (source) => kernelSource(source, { layout, heapBytes: 4096 }).code,
  printf: (source) => withPrintf(source).source,
  program: (source) => programText(source, { threadCount: 2, blockCount: 1 }).text.printed().text,
  oneDispatch: (source) => oneDispatchText(source, "fn serve(opcode: u32) {}").text,
  server: (source) => oneDispatchText("fn kernel() {}", source).text,
};

/** Texts in which a reader that sees an end of a line elsewhere than another sees other code. */
const TEXTS: readonly string[] = [
  'fn step_0() { // note\n put("Hi"); print(); finish(); }',
  'fn kernel() { // note "\n put("Hi"); /* a\n /* b */ " // */ print(); // put("no")\n }',
  '@service(40000) // fn\n fn f(x: u32) -> u32; // "\n fn kernel() { printf("// /* %u", // "\n f(1u)); }',
  'fn kernel() { // heap_u8(1u)\n let a = // "b"\n 1u; printf("%u %s", a, "*/"); }',
  'fn kernel() {\n  // go(1u)\n  print_all("a", // "b"\n "a");\n}\nfn print_all(a: u32, b: u32) {}',
  "struct Frame { // x: u32\n y: u32 /* \n */ }\nfn step_0() { frame.y = 1u; }\nfn step_1() {}",
  "fn serve(opcode: u32) { // another_turn()\n packet_set(0u, 1u); }",
  '@compute @workgroup_size(1) fn main() { // {\n printf("a // %u", 1u); /* } \n /* */ */ }',
  "const N = 2; // const N = 3;\nvar<storage, read_write> a: array<u32, N>;\nfn main() -> i32 { return 0; }",
  // Wrong ones.
  "fn kernel() { // a\n /* b\n workgroupBarrier(); }",
  "fn kernel() {\n // a\n workgroupBarrier();\n}",
  'fn kernel() { // "\n put("a\n"); }',
  'fn main() {\n  printf("%q");\n}',
  "fn serve(opcode: f32) {} // fn serve(opcode: u32)\n",
];

/** What becomes of a text, or why not. */
function outcomeOf(make: (source: string) => unknown, source: string): unknown {
  try {
    return make(source);
  } catch (error) {
    return String(error);
  }
}

for (const [name, make] of Object.entries(ENTRANCES)) {
  Deno.test(`a text is the same to a ${name}, whatever ends its lines`, () => {
    for (const text of TEXTS) {
      const wanted = outcomeOf(make, text);
      for (const end of BREAKS) {
        const found = outcomeOf(make, text.replaceAll("\n", end));
        // Where a string goes over a line, three of them may stand in it.
        if (/"a\n"/.test(text) && /[\u0085\u2028\u2029]/.test(end)) continue;
        assertEquals(found, wanted, JSON.stringify([text, end]));
      }
    }
  });
}

Deno.test("no sign of a string ends a line of what a compiler gets", () => {
  const signs = "\u0085 \u2028 \u2029";
  const source =
    `fn kernel() { printf("${signs} %u", 1u); put("${signs}"); f("${signs}"); }\nfn f(a: u32) {}`;
  const { code } = kernelSource(source, { layout, heapBytes: 4096 });
  assert(!/[\v\f\r\u0085\u2028\u2029]/.test(code));
  assert(code.includes('// "'), "the format stands in a comment");
  const shader = withPrintf(`@compute @workgroup_size(1) fn main() { printf("${signs}"); }`);
  assert(!/[\v\f\r\u0085\u2028\u2029]/.test(shader.source));
});

Deno.test("what is wrong behind a string is told by its line, whatever stands in the string", () => {
  const source = 'fn kernel() {\n  put("\u2028\u0085");\n  textureBarrier();\n}';
  const error = assertThrows(() => kernelSource(source, { layout }), KernelCompileError);
  assertEquals([error.line, error.column], [3, 3]);
  assert(error.message.endsWith("\n3 |   textureBarrier();"));
});
