import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { channelLayout } from "../../toggle/layout.ts";
import { type KernelShape, kernelSource } from "./kernel_source.ts";

const layout = channelLayout({ portCount: 4, laneCount: 2 });

function make(source: string, shape: KernelShape = {}) {
  return kernelSource(source, { ...shape, layout });
}

Deno.test("kernelSource() keeps the author's text first, line for line", () => {
  const source = "// mine\nfn step_0() {\n  call(40000u);\n}";
  const { code, authorLineCount } = make(source);
  assertEquals(authorLineCount, 4);
  assertEquals(code.split("\n").slice(0, 4).join("\n"), source);
});

Deno.test("kernelSource() turns texts into words on the same line, outside comments only", () => {
  const { code } = make('// put("no")\nfn step_0() { put("Hello\\n"); print(); }');
  const lines = code.split("\n");
  assertEquals(lines[0], '// put("no")');
  assertEquals(
    lines[1],
    "fn step_0() { put_word(1819043144u, 4u); put_word(2671u, 2u); print(); }",
  );
});

Deno.test("kernelSource() writes texts as UTF-8", () => {
  assertStringIncludes(make('fn step_0() { put("\u00e9"); }').code, "put_word(43459u, 2u)");
});

Deno.test("kernelSource() switches over the steps, in any order", () => {
  const { code } = make("fn step_1() {}\nfn step_0() {}");
  assertStringIncludes(
    code,
    "case 0u: { step_0(); } case 1u: { step_1(); } default: { finish(); }",
  );
});

Deno.test("kernelSource() refuses a text without steps, and one with a gap", () => {
  assertThrows(() => make("fn main() {}"), TypeError, "has no step");
  assertThrows(() => make("// fn step_0() {}"), TypeError, "has no step");
  assertThrows(() => make("fn step_0() {} fn step_2() {}"), TypeError, "step_1 is missing");
});

Deno.test("kernelSource() refuses a malformed text", () => {
  assertThrows(() => make('fn step_0() { put("\\q"); }'), TypeError, "\\q");
});

Deno.test("kernelSource() refuses choices out of bounds", () => {
  const source = "fn step_0() {}";
  assertThrows(() => make(source, { wavesPerGroup: 0 }), RangeError, "wavesPerGroup");
  assertThrows(() => make(source, { streamBytes: 1.5 }), RangeError, "streamBytes");
  assertThrows(() => make(source, { searchAttempts: -1 }), RangeError, "searchAttempts");
  assertThrows(() => make(source, { turnsMax: 1e9 }), RangeError, "turnsMax");
  assertThrows(() => make(source, { lock: "mutex" as "cas" }), TypeError, "mutex");
});

Deno.test("kernelSource() leaves out what the text does not use", () => {
  assertStringIncludes(make("fn step_0() { call(1u); }").code, "const USES_STREAMS = false;");
  assertStringIncludes(make("fn step_0() { print(); }").code, "const USES_STREAMS = true;");
  assertStringIncludes(make("fn step_0() { begin(1u); }").code, "const USES_SESSIONS = true;");
});
