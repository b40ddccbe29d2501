import { assertEquals } from "@std/assert";
import { declarationsOf } from "./declarations.ts";
import { closingOf, tokensOf } from "./tokens.ts";
import { typeOfRange } from "./name_type.ts";
import type { ValueType } from "./value_type.ts";

const MODULE = `
alias Point = vec3<f32>;
alias Round = Round;
struct Inner { at: Point, ids: array<vec2u, 4> }
struct Outer { inner: Inner, grid: mat2x3<f32> }
@group(0) @binding(0) var<storage> outer: Outer;
const fixed = vec2i(1);
const ring_a = ring_b; const ring_b = ring_a;
var<private> hidden: vec4f;
`;

function shown(type: ValueType | undefined): string {
  if (!type) return "unknown";
  return type.args.length === 0 ? type.name : `${type.name}<${type.args.map(shown).join()}>`;
}

/** The type of the expression in `show(...)` of a function of the module. */
function typeIn(body: string): string {
  const tokens = tokensOf(
    `${MODULE} fn f(given: vec2<f32>, outer_a: Outer) -> mat2x3f { ${body} }`,
  );
  const open = tokens.findIndex(({ text }) => text === "show") + 1;
  const range = { start: open + 1, end: closingOf(tokens, open) };
  return shown(typeOfRange({ tokens, declarations: declarationsOf(tokens) }, range));
}

Deno.test("typeOfRange() knows constructors, names, members, swizzles and elements", () => {
  const cases = [
    ["show(vec3f(1));", "vec3<f32>"],
    ["show(vec2<u32>(1, 2));", "vec2<u32>"],
    ["show(Point());", "vec3<f32>"],
    ["show(vec4f().xy);", "vec2<f32>"],
    ["show(given);", "vec2<f32>"],
    ["show(given.yx);", "vec2<f32>"],
    ["show(given.x);", "f32"],
    ["show(outer.inner.at);", "vec3<f32>"],
    ["show(outer.inner.ids[i + 1]);", "vec2<u32>"],
    ["show(outer_a.grid[1].rg);", "vec2<f32>"],
    ["show(fixed);", "vec2<i32>"],
    ["show(hidden);", "vec4<f32>"],
    ["let a = vec3u(); show(a);", "vec3<u32>"],
    ["var a: vec3<i32>; show(a);", "vec3<i32>"],
    ["var<function> a: vec3<i32>; show(a);", "vec3<i32>"],
    ["let a = given; let b = a; show(b);", "vec2<f32>"],
    ["let a = given * 2; show(a);", "vec2<f32>"],
    ["let a = 3; show(vec2(a) + 1);", "vec2<i32>"],
    ["const a = 3; show(vec2(a) + 1u);", "vec2<u32>"],
    ["show(-(given));", "vec2<f32>"],
    ["show(normalize(given));", "vec2<f32>"],
    ["show(f(given, outer_a));", "mat2x3<f32>"],
    ["show(f(given, outer_a)[1]);", "vec3<f32>"],
    ["show(select(given, given.yx, true));", "vec2<f32>"],
    ["let p = &outer.inner; show(p.at);", "vec3<f32>"],
    ["let p = &hidden; show(*p);", "vec4<f32>"],
    ["show(vec3(1, 2, 3));", "vec3<int>"],
  ] as const;
  for (const [body, wanted] of cases) assertEquals(typeIn(body), wanted, body);
});

Deno.test("typeOfRange() takes the declaration whose block is open", () => {
  const cases = [
    ["let a = vec2f(); { let a = vec3f(); show(a); }", "vec3<f32>"],
    ["let a = vec2f(); { let a = vec3f(); } show(a);", "vec2<f32>"],
    ["let a = vec2f(); { let a = vec3f(a, show(a)); }", "vec2<f32>"],
    ["for (var a = vec3f(); true;) { show(a); }", "vec3<f32>"],
    ["let a = vec2f(); for (var a = vec3f(); true;) { } show(a);", "vec2<f32>"],
    ["let given = vec4u(); show(given);", "vec4<u32>"],
  ] as const;
  for (const [body, wanted] of cases) assertEquals(typeIn(body), wanted, body);
});

Deno.test("typeOfRange() is undefined where the type does not show", () => {
  const bodies = [
    "show(nowhere);",
    "show(outer.nowhere);",
    "show(given.xyzq);",
    "show(ring_a);",
    "show();",
  ];
  for (const body of bodies) assertEquals(typeIn(body), "unknown", body);
});
