import { assertEquals } from "@std/assert";
import { typeText } from "../../syntax/value_type.ts";
import { graphOf } from "../testdata/graph_of.ts";
import { frameLayout } from "./frame_layout.ts";

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
