import { assertEquals } from "@std/assert";
import { typeText } from "../text/value_type.ts";
import { frameLayout } from "./frame.ts";
import { reachableFrom, stepsOf } from "./graph.ts";
import { graphOf } from "./testdata/graph_of.ts";

/** Each field, with the variables that share it. */
function fieldsOf(text: string): string[] {
  const { kernel, graph } = graphOf(text);
  return frameLayout(kernel, graph).fields.map(({ name, type, slots }) =>
    `${name}: ${typeText(type)} of ${slots.map((one) => one.name).join(" ")}`
  );
}

/** Bodies of `kernel`, how many steps they have, and what is kept from step to step. */
const KEPT: readonly (readonly [body: string, stepCount: number, kept: string])[] = [
  // A step begins at the start, after each call, and where ways meet.
  ["", 1, ""],
  ["note(1u); note(2u);", 3, ""],
  ["if is_odd(1u) { store(); } else { store(); }", 3, ""],
  [
    "if lane_index == 0u { note(1u); let a = 2u; } else { note(3u); let a = 4u; } let b = 5u;",
    4,
    "",
  ],
  // However a statement without calls branches.
  ["let a = square(1u); for (var i = 0u; i < 9u; i++) { if i == a { continue; } return; }", 2, ""],
  ["note(1u); loop { if lane_index == 9u { note(2u); } }", 2, ""],
  // What is mentioned after a call is kept, and nothing else.
  ["let a = 1u; let b = 2u; note(a); note(b);", 3, "b"],
  ["var a = 1u; note(a); a = 2u; note(a);", 3, ""],
  ["var a = vec2u(); note(1u); a.x = 2u; note(a.y);", 3, "a"],
  [
    "let a = 1u; let b = vec3f(); var c: array<u32, 4>; note(1u); note(a + u32(b.x) + c[1]);",
    3,
    "b c a",
  ],
  // What one of two ways wants is kept before both; a loop keeps what its next round wants.
  [
    "let a = 1u; var b = 2u; note(3u); if lane_index == 0u { b = 4u; } else { note(a); } note(b);",
    4,
    "a b",
  ],
  ["var a = 1u; for (var i = 0u; i < 3u; i++) { note(i); a += 1u; } note(a);", 4, "a i"],
  [
    "var a = 1u; var i = 0u; loop { note(i); if lane_index == 0u { break; } i++; a = 5u; } note(a);",
    5,
    "a i",
  ],
  // What begins in a kept statement is of one step; what the rest of an expression needs, of several.
  ["note(1u); { let a = 2u; var b = a; b += a; } note(3u);", 3, ""],
  ["let a = square(1u) + square(2u);", 3, "square_value"],
  ["if is_odd(1u) && is_odd(2u) { note(1u); }", 5, "kept"],
];

Deno.test("steps keep what lives over a call, and nothing else", () => {
  for (const [body, stepCount, kept] of KEPT) {
    const { kernel, graph } = graphOf(`fn kernel() { ${body} } fn store() {}`);
    const [entry] = graph.entries.values();
    const fields = frameLayout(kernel, graph).fields.map(({ name }) => name);
    assertEquals([stepsOf(entry!).length, fields.join(" ")], [stepCount, kept], body);
    for (const { operations, terminator } of reachableFrom(entry!)) {
      const isPassedBy = operations.length > 0 || terminator.kind !== "goto" ||
        terminator.targets[0]!.terminator.kind === "goto";
      assertEquals(isPassedBy, true, body);
    }
  }
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
