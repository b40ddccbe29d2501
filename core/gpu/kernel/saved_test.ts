import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { channelLayout } from "../../toggle/layout.ts";
import { Types } from "../text/inference.ts";
import { Module } from "../text/module.ts";
import { plain, type Type } from "../text/value_type.ts";
import { KernelCompileError } from "../wgsl/kernel_compile.ts";
import { kernelSource } from "../wgsl/kernel_source.ts";
import { type FrameField, frameText, SavedTypes } from "./saved.ts";

function textOf(source: string, fields: readonly FrameField[] | "written"): string {
  return frameText(new Types(new Module(source)), fields, false).text;
}

function field(name: string, text: string): FrameField {
  const [type = "", component] = text.split(/[<>]/);
  return { name, type: component ? plain(type, plain(component)) : plain(type), slots: [] };
}

Deno.test("frameText() keeps bools as numbers", () => {
  const text = textOf("", [field("a", "bool"), field("b", "vec2<bool>"), field("c", "f32")]);
  assertEquals(
    text,
    `struct Frame {
  a: bool,
  b: vec2<bool>,
  c: f32,
}
struct SavedFrame {
  a: u32,
  b: vec2<u32>,
  c: f32,
}
fn frame_load(saved: u32) {
  frame.a = bool(lane_states[saved].frame.a);
  frame.b = vec2<bool>(lane_states[saved].frame.b);
  frame.c = lane_states[saved].frame.c;
}
fn frame_save(saved: u32) {
  lane_states[saved].frame.a = u32(frame.a);
  lane_states[saved].frame.b = vec2<u32>(frame.b);
  lane_states[saved].frame.c = frame.c;
}
`,
  );
});

Deno.test("frameText() copies long arrays by loops", () => {
  const u32 = plain("u32");
  const arrayOf = (element: Type, length: string) => plain("array", element, plain(length));
  const fieldOf = (name: string, type: Type) => ({ name, type, slots: [] });
  const text = textOf("const index_ = 2;", [
    fieldOf("short", arrayOf(arrayOf(u32, "4"), "4")),
    fieldOf("long", arrayOf(u32, "17")),
    fieldOf("deep", arrayOf(arrayOf(u32, "17"), "index_ * 2")),
  ]);
  for (
    const line of [
      "frame.short = lane_states[saved].frame.short;",
      "for (var index_x_ = 0u; index_x_ < u32(17); index_x_++) { lane_states[saved].frame.long[index_x_] = frame.long[index_x_]; }",
      "{ for (var index_x_i = 0u; index_x_i < u32(17); index_x_i++) { frame.deep[index_x_][index_x_i] = lane_states[saved].frame.deep[index_x_][index_x_i]; } }",
    ]
  ) assertStringIncludes(text, line);
});

Deno.test("frameText() keeps var<private>, and a frame that is written", () => {
  const source =
    "var<private> a: u32 = 1u; var<private> frame_ = 1.5; var<storage> b: u32; const c = 1;";
  const text = textOf(source, "written");
  assertEquals(text.includes("struct Frame "), false);
  const struct =
    "struct SavedFrame {\n  frame: Frame,\n  a: u32, // var<private>\n  frame_: f32, // var<private>\n}";
  assertStringIncludes(text, struct);
  assertStringIncludes(
    text,
    "frame = lane_states[saved].frame.frame;\n  a = lane_states[saved].frame.a;",
  );
});

Deno.test("frameText() gives a field another name where a var<private> has the same", () => {
  const text = textOf("var<private> a: u32;", [field("a", "u32")]);
  assertStringIncludes(text, "  a: u32,\n  a_private: u32, // var<private>\n");
  assertStringIncludes(text, "a = lane_states[saved].frame.a_private;");
});

Deno.test("frameText() has a field where nothing is kept, as a struct needs one", () => {
  assertStringIncludes(
    textOf("", []),
    "struct Frame {\n  unused: u32,\n}\nstruct SavedFrame {\n  unused: u32,\n}",
  );
});

Deno.test("SavedTypes saves bools as words, and leaves the rest", () => {
  const module = new Module(
    "struct S { on: bool, x: f32 } struct vectors { x: f32, is_on: bool } alias A = array<S, 2>;",
  );
  const saved = new SavedTypes(new Types(module));
  const array = plain("array", plain("S"), plain("2"));
  assertEquals(saved.savedText(array), "array<saved_0, 2>");
  assertEquals(saved.text.split("\n")[0], "struct saved_0 { on: u32, x: f32 }");
  assertEquals(saved.savedText(plain("vectors")), "saved_1");
  assertEquals(saved.savedText(plain("vec2", plain("f32"))), "vec2<f32>");
});

const layout = channelLayout({ portCount: 1, laneCount: 4 });

Deno.test("workgroup memory is saved by the lanes of a wave together, atomics by themselves", () => {
  const { code, waveStateBytes } = kernelSource(
    `struct Tile { sums: array<vec3f, 2>, count: atomic<i32> }
    var<workgroup> tile: Tile; var<workgroup> flags: array<vec2<bool>, LANE_COUNT>;
    fn kernel() { workgroupBarrier(); }`,
    { layout },
  );
  const saved = code.slice(code.indexOf("struct SavedShared"), code.indexOf("fn shared_save"));
  assertEquals(
    saved,
    `struct SavedShared {
  tile: Tile,
  flags: array<vec2<u32>, LANE_COUNT>,
}
fn shared_load(saved: u32, index_first: u32, index_step: u32) {
  if index_first == 0u { for (var index_i = 0u; index_i < u32(2); index_i++) { tile.sums[index_i] = wave_states[saved].together.tile.sums[index_i]; } atomicStore(&tile.count, atomicLoad(&wave_states[saved].together.tile.count)); }
  for (var index_ = index_first; index_ < u32(LANE_COUNT); index_ += index_step) { flags[index_] = vec2<bool>(wave_states[saved].together.flags[index_]); }
}
`,
  );
  // 24 bytes of the wave, then at a multiple of 16 a tile of 48, and 4 flags of 8.
  assertEquals(waveStateBytes, 32 + 48 + 32);
});

Deno.test("workgroup memory that no device has is refused where it is declared", () => {
  for (
    const [declared, reason] of [
      ["array<u32, 5000>", "makes 20000 bytes of workgroup memory of at most 16128: use a storage"],
      ["array<u32, LANE_COUNT * 2000>", "makes 32000 bytes"],
      ["array<u32, NOTHING>", "is workgroup memory of unknown size: write the length"],
      ["array<u32>", "is workgroup memory of unknown size"],
      ["u32 = 3u", "is workgroup memory, which begins as zeros: give it its value in the kernel"],
    ]
  ) {
    const source = `var<workgroup> tile: ${declared};\nfn kernel() {}`;
    const error = assertThrows(() => kernelSource(source, { layout }), KernelCompileError);
    assertEquals([error.line, error.column], [1, 16], error.message);
    assertEquals(error.reason.startsWith(`tile ${reason}`), true, error.reason);
  }
});

Deno.test("frameBytes are what a lane keeps", () => {
  const bytesOf = (source: string) => kernelSource(source, { layout }).frameBytes;
  assertEquals(bytesOf("fn kernel() { let a = 1u; let b = 2u; print(); _ = a + b; }"), 8);
  assertEquals(bytesOf("struct Frame { a: vec3f, b: u32 } fn step_0() {}"), 16);
  assertEquals(bytesOf("fn kernel() {}"), 4);
});
