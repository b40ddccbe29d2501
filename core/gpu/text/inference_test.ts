import { assertEquals } from "@std/assert";
import { Types } from "./inference.ts";
import { Module } from "./module.ts";
import { nodesIn } from "./syntax.ts";
import { concrete, type Type, typeText } from "./value_type.ts";

const MODULE = `
struct Point { at: vec3f, sizes: array<u32, 4> }
alias Points = array<Point, N + 1>;
alias Words = array<u32, 4>;
alias WordArrays = array<Words, 2>;
fn total(a: u32) -> i32 { return 1; }
fn nothing() {}
var<private> u: u32; var<private> i: i32; var<private> f: f32; var<private> b: bool;
var<private> v: vec3f; var<private> w: vec2<i32>; var<private> m: mat2x3f;
var<private> point: Point; var<private> points: Points;
var<storage> counts: array<atomic<u32>>;
var image: texture_2d<i32>; var layers: texture_2d_array<f32>; var solid: texture_3d<f32>;
var depth: texture_depth_2d; var stored: texture_storage_2d<rgba16uint, write>; var s: sampler;
var<workgroup> group: array<vec2f, 4>; var<workgroup> flag: atomic<u32>;
`;

/** The type of an expression, as WGSL writes it. */
function typeOf(text: string, choose: (type: Type) => Type = concrete): string | undefined {
  const module = new Module(`${MODULE}const x = ${text};`);
  const type = new Types(module).of(module.variables.at(-1)!.value!);
  return type && typeText(choose(type));
}

Deno.test("Types.of() takes the type that a number's suffix says", () => {
  const texts = ["1f", "0x1p4f", "1h", "0x1p4h", "0x1fu", "0x1f", "0x1p4"];
  const types = texts.map((text) => typeOf(text, (type) => type));
  assertEquals(types, ["f32", "f32", "f16", "f16", "u32", "int", "float"]);
});

Deno.test("Types.of() knows what follows from an expression's parts", () => {
  const cases: Readonly<Record<string, readonly string[]>> = {
    u32: ["1u", "0xffu", "u", "u + 1", "2 * u", "u << 1", "(u)", "~u", "point.sizes[1]", "u32(f)"],
    i32: ["1", "-1", "0x1f", "1i", "i % 2", "w.x", "w[0]", "total(1u)", "dot(w, w)", "1 << 2u"],
    f32: ["1.0", "1e3", ".5", "1f", "0x1p4f", "1 + 2.5", "f * 2", "v.y", "m[0][1]", "length(v)"],
    bool: ["true", "u < 1", "!b", "b && b", "i == 2", "any(v > v)", "bool(u)"],
    "vec3<f32>": ["v", "v * 2", "2.0 * v", "v + v", "point.at", "v.zyx", "m[1]", "m * vec2f()"],
    "vec2<f32>": ["v.xy", "vec2(1, 2.5)", "vec2(f)", "v * m", "vec2<f32>(w)", "v.rg"],
    "vec2<i32>": ["w", "vec2(1, 2)", "vec2i()", "abs(w)", "min(w, w)", "select(w, w, b)"],
    "vec3<bool>": ["v > v", "v == v", "!(v < v)"],
    "mat2x3<f32>": ["m", "m * 2", "m + m", "mat2x3f()", "m * mat2x2f()"],
    "mat3x2<f32>": ["transpose(m)"],
    "array<u32, 4>": ["point.sizes"],
    "array<f32, 3>": ["array(1, f, 2)"],
    "array<Point, N + 1>": ["points"],
    Point: ["points[u]", "Point()"],
  };
  for (const [type, texts] of Object.entries(cases)) {
    for (const text of texts) assertEquals(typeOf(text), type, text);
  }
});

Deno.test("Types.of() knows the functions of WGSL", () => {
  const cases: Readonly<Record<string, string>> = {
    "clamp(u, 1, 5)": "u32",
    "max(1, f)": "f32",
    "mix(v, v, 0.5)": "vec3<f32>",
    "step(0.5, f)": "f32",
    "countOneBits(w)": "vec2<i32>",
    "arrayLength(&counts)": "u32",
    "atomicAdd(&counts[1], 2u)": "u32",
    "pack4x8unorm(vec4f())": "u32",
    "unpack4xI8(u)": "vec4<i32>",
    "unpack2x16float(u)": "vec2<f32>",
    "bitcast<vec2<u32>>(w)": "vec2<u32>",
    "determinant(mat2x2f())": "f32",
    "cross(v, v).x": "f32",
    "floor(1.5)": "f32",
    "select(1, 2u, b)": "u32",
    "reply(0)": "u32",
    "dpdx(v.xy)": "vec2<f32>",
    "fwidthFine(f)": "f32",
    "subgroupAdd(u)": "u32",
    "subgroupBroadcast(w, 1)": "vec2<i32>",
    "subgroupBallot(b)": "vec4<u32>",
    "quadSwapX(v)": "vec3<f32>",
    "workgroupUniformLoad(&group[1])": "vec2<f32>",
    "workgroupUniformLoad(&flag)": "u32",
    "textureLoad(image, w, 0)": "vec4<i32>",
    "textureLoad(image, w, 0).x": "i32",
    "textureLoad(stored, w)": "vec4<u32>",
    "textureLoad(depth, w, 0)": "f32",
    "textureSampleLevel(layers, s, v.xy, 0, 0).rgb": "vec3<f32>",
    "textureGather(1, layers, s, v.xy, 0)": "vec4<f32>",
    "textureGather(depth, s, v.xy)": "vec4<f32>",
    "textureDimensions(solid)": "vec3<u32>",
    "textureDimensions(image).x": "u32",
    "textureNumLayers(layers)": "u32",
  };
  for (const [text, type] of Object.entries(cases)) assertEquals(typeOf(text), type, text);
});

Deno.test("Types.of() knows floats of integers, results without a name, and aliases", () => {
  const cases: Readonly<Record<string, string>> = {
    "sqrt(2)": "f32",
    "pow(2, 3)": "f32",
    "max(1, 2)": "i32",
    "abs(-1)": "i32",
    "normalize(vec2(1, 2))": "vec2<f32>",
    "mat3x2(1, 2, 3, 4, 5, 6)": "mat3x2<f32>",
    "frexp(f).exp": "i32",
    "frexp(v).exp.y": "i32",
    "frexp(f).fract": "f32",
    "modf(v).whole": "vec3<f32>",
    "atomicCompareExchangeWeak(&counts[0], 1, 2).exchanged": "bool",
    "atomicCompareExchangeWeak(&counts[0], 1, 2).old_value": "u32",
    "WordArrays()": "array<Words, 2>",
    "array<Words, 2>()": "array<Words, 2>",
    "WordArrays()[1]": "Words",
  };
  for (const [text, type] of Object.entries(cases)) assertEquals(typeOf(text), type, text);
});

Deno.test("Types.of() is undefined for what does not show", () => {
  const texts = [
    "unknown",
    "unknown(1)",
    "unknown + 1",
    "nothing()",
    "v.q",
    "point.no",
  ];
  for (const text of texts) assertEquals(typeOf(text), undefined, text);
});

const SHADER = `
alias Point = vec3<f32>;
alias Round = Round;
struct Inner { at: Point, ids: array<vec2u, 4> }
struct Outer { inner: Inner, grid: mat2x3<f32> }
@group(0) @binding(0) var<storage> outer: Outer;
const fixed = vec2i(1);
const ring_a = ring_b; const ring_b = ring_a;
var<private> hidden: vec4f;
`;

/** The type of the argument of `show()` in the body of a function. */
function typeIn(body: string): string {
  const module = new Module(
    `${SHADER} fn f(given: vec2<f32>, outer_a: Outer) -> mat2x3f { ${body} }`,
  );
  const call = [...nodesIn(module.functions[0]!)].find((node) =>
    node.kind === "call" && node.text === "show"
  );
  const type = call?.kind === "call" ? new Types(module).of(call.operands[0]!) : undefined;
  return type ? typeText(type) : "unknown";
}

Deno.test("Types.of() knows constructors, names, members, swizzles and elements", () => {
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

Deno.test("Types.of() takes the declaration whose block is open", () => {
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

Deno.test("Types.of() is undefined where the type does not show", () => {
  const bodies = [
    "show(nowhere);",
    "show(outer.nowhere);",
    "show(given.xyzq);",
    "show(ring_a);",
  ];
  for (const body of bodies) assertEquals(typeIn(body), "unknown", body);
});
