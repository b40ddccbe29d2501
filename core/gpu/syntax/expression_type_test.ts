import { assertEquals } from "@std/assert";
import { declarationsOf } from "./declarations.ts";
import { readExpression } from "./expression.ts";
import { concreteType, typeOfExpression, type TypeScope } from "./expression_type.ts";
import { TokenReader, tokensOf } from "./tokens.ts";
import { namedType, typeText } from "./value_type.ts";

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
`;

/** The type of an expression, as WGSL writes it. */
function typeOf(text: string, choose = concreteType): string | undefined {
  const tokens = tokensOf(`${MODULE}const x = ${text};`);
  const declarations = declarationsOf(tokens);
  const scope: TypeScope = {
    tokens,
    declarations,
    typeOfName: (at) => {
      const found = declarations.variables.find(({ name }) => name.text === tokens[at]!.text);
      return found && namedType({ tokens, declarations }, found.type);
    },
  };
  const start = declarations.variables.at(-1)!.value.start;
  const refuse = (_: number, reason: string): never => {
    throw new SyntaxError(reason);
  };
  const type = typeOfExpression(scope, readExpression(new TokenReader(tokens, start, refuse)));
  return type && typeText(choose(type));
}

Deno.test("typeOfExpression() takes the type that a number's suffix says", () => {
  const texts = ["1f", "0x1p4f", "1h", "0x1p4h", "0x1fu", "0x1f", "0x1p4"];
  const types = texts.map((text) => typeOf(text, (type) => type));
  assertEquals(types, ["f32", "f32", "f16", "f16", "u32", "int", "float"]);
});

Deno.test("typeOfExpression() knows what follows from an expression's parts", () => {
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

Deno.test("typeOfExpression() knows the functions of WGSL", () => {
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
  };
  for (const [text, type] of Object.entries(cases)) assertEquals(typeOf(text), type, text);
});

Deno.test("typeOfExpression() knows floats of integers, results without a name, and aliases", () => {
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

Deno.test("typeOfExpression() is undefined for what does not show", () => {
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
