import { assertEquals } from "@std/assert";
import { calledNames, declarationsOf } from "./declarations.ts";
import { type TokenRange, tokensOf } from "./tokens.ts";

const SOURCE = `
enable f16;
@group(1) @binding(2) var<storage, read_write> a: array<vec2<f32>>;
const b = 3u;
alias C = vec3<f32>;
struct D { @builtin(position) e: vec4f, @size(16) f: C }
@compute @workgroup_size(8, 2) fn g(d: D, @builtin(workgroup_id) h: vec3u) {
  var i: u32 = b; { let j = 1; }
}
fn k() -> @location(0) vec4f { return vec4f(); }
`;
const tokens = tokensOf(SOURCE);
const { functions, structs, aliases, variables, names } = declarationsOf(tokens);

function text({ start, end }: TokenRange): string {
  return tokens.slice(start, end).map(({ text }) => text).join(" ");
}

Deno.test("declarationsOf() finds variables with their types, values and attributes", () => {
  assertEquals(
    variables.map(({ name, type, value }) => [name.text, text(type), text(value)]),
    [["a", "array < vec2 < f32 > >", ""], ["b", "", "3u"]],
  );
  assertEquals(variables[0]!.attributes.map(({ name, args }) => [name, text(args)]), [
    ["group", "1"],
    ["binding", "2"],
  ]);
});

Deno.test("declarationsOf() finds structs and aliases", () => {
  assertEquals(text(aliases.get("C")!), "vec3 < f32 >");
  const members = structs.get("D")!;
  assertEquals(members.map(({ name, type }) => [name.text, text(type)]), [["e", "vec4f"], [
    "f",
    "C",
  ]]);
  assertEquals(members[0]!.attributes.map(({ name, args }) => [name, text(args)]), [
    ["builtin", "position"],
  ]);
});

Deno.test("declarationsOf() finds functions with parameters, attributes and bodies", () => {
  assertEquals(functions.map(({ name }) => name.text), ["g", "k"]);
  const [g, k] = functions;
  assertEquals(g!.attributes.map(({ name, args }) => [name, text(args)]), [
    ["compute", ""],
    ["workgroup_size", "8 , 2"],
  ]);
  assertEquals(g!.parameters.map(({ name, type }) => [name.text, text(type)]), [
    ["d", "D"],
    ["h", "vec3u"],
  ]);
  assertEquals(text(g!.body), "var i : u32 = b ; { let j = 1 ; }");
  assertEquals(text(k!.body), "return vec4f ( ) ;");
});

Deno.test("declarationsOf() ends with any text", () => {
  for (let end = 0; end < SOURCE.length; end++) declarationsOf(tokensOf(SOURCE.slice(0, end)));
  for (let start = 0; start < SOURCE.length; start++) declarationsOf(tokensOf(SOURCE.slice(start)));
});

Deno.test("declarationsOf() gives each name where it is declared", () => {
  assertEquals(names.map(({ text }) => text), ["a", "b", "C", "D", "g", "k"]);
  for (const { text, index } of names) assertEquals(SOURCE.slice(index, index + text.length), text);
});

Deno.test("calledNames() gives what a function calls, members left out", () => {
  const declarations = declarationsOf(
    tokensOf("fn f(a: u32) { if a == 1u { g(); } h(); g(); b.i(1u); let c = j; }"),
  );
  const called = calledNames(declarations, declarations.functions[0]!);
  assertEquals([...called].map(([name, at]) => [name, declarations.tokens[at]!.index]), [
    ["g", 28],
    ["h", 35],
  ]);
});
