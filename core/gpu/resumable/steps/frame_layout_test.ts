import { assertEquals, assertStringIncludes } from "@std/assert";
import { typeText, type ValueType } from "../../syntax/value_type.ts";
import { graphOf } from "../testdata/graph_of.ts";
import { type FrameField, frameLayout, frameText } from "./frame_layout.ts";
import { WgslText } from "../../syntax/wgsl_text.ts";
import { ModuleText } from "../text/kernel_module.ts";

/** Each field, with the variables that share it. */
function fieldsOf(text: string): string[] {
  const { module, graph } = graphOf(text);
  return frameLayout(module, graph).fields.map(({ name, type, variables }) =>
    `${name}: ${typeText(type)} of ${variables.map((one) => one.name).join(" ")}`
  );
}

Deno.test("frameLayout() holds what lives over a call, and nothing else", () => {
  const text = `fn kernel() {
    let a = 1u; let b = vec3f(2.0); var c: array<u32, 4>; let d = a + 1u;
    note(d);
    note(a + u32(b.x) + c[1]);
  }`;
  const wanted = ["b: vec3<f32> of b", "c: array<u32, 4> of c", "a: u32 of a"];
  assertEquals(fieldsOf(text), wanted);
  assertEquals(fieldsOf("fn kernel() { let a = square(1u); note(a); }"), []);
});

Deno.test("variables share a field when no block wants both", () => {
  const text = `fn kernel() {
    { let a = 1u; note(2u); note(a); }
    { let b = 3u; note(4u); note(b); }
    let c = 1i; note(5u); note(u32(c));
  }`;
  assertEquals(fieldsOf(text), ["a: u32 of a b", "c: i32 of c"]);
});

Deno.test("functions that are never there at the same time share their part of the frame", () => {
  const text = `
    fn left(a: u32) { note(1u); note(a); }
    fn right(b: u32) -> u32 { note(2u); return b; }
    fn both() { let c = 1u; left(2u); note(right(c)); }
    fn kernel() { let d = lane_index; both(); left(d); }`;
  const fields = fieldsOf(text);
  assertEquals(fields.length, 6, `${fields.join("\n")}`);
  const together = (one: string, other: string) =>
    fields.some((field) => {
      const names = field.split(" of ")[1]!.split(" ");
      return names.includes(one) && names.includes(other);
    });
  assertEquals([together("a", "b"), together("d", "c"), together("c", "a")], [true, false, false]);
});

function textOf(source: string, fields: readonly FrameField[] | "written"): string {
  return frameText(new ModuleText(new WgslText(source)), fields).text;
}

function field(name: string, text: string) {
  const [type = "", component] = text.split(/[<>]/);
  return {
    name,
    type: { name: type, args: component ? [{ name: component, args: [] }] : [] },
    variables: [],
  };
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
  const u32 = { name: "u32", args: [] };
  const arrayOf = (element: ValueType, length: string) => ({
    name: "array",
    args: [element, { name: length, args: [] }],
  });
  const fieldOf = (name: string, type: ValueType) => ({ name, type, variables: [] });
  const text = textOf("const index_ = 2;", [
    fieldOf("short", arrayOf(arrayOf(u32, "4u"), "4")),
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
