import { assertEquals, assertThrows } from "@std/assert";
import { TextFault } from "./lines.ts";
import { Module, tryModule } from "./module.ts";
import {
  type Expression,
  expressionsOf,
  type Node,
  nodesIn,
  type Statement,
  statementsOf,
} from "./syntax.ts";

function statements(body: string): readonly Statement[] {
  return new Module(`fn f() { ${body} }`).functions[0]!.body!.statements;
}

function only<K extends Statement["kind"]>(text: string, kind: K): Statement & { kind: K } {
  const [statement, ...others] = statements(text);
  assertEquals([statement?.kind, others.length], [kind, 0], text);
  return statement as Statement & { kind: K };
}

/** An expression with parentheses around everything that has operands. */
function shown(expression: Expression): string {
  if (expression.kind === "name") return expression.text;
  const { kind, text, operands } = expression;
  const parts = operands.map(shown);
  switch (kind) {
    case "binary":
      return `(${parts[0]} ${text} ${parts[1]})`;
    case "unary":
      return `(${text}${parts[0]})`;
    case "member":
      return `${parts[0]}.${text}`;
    case "index":
      return `${parts[0]}[${parts[1]}]`;
    case "call":
      return `${text}(${parts.join(", ")})`;
    case "group":
      return parts[0]!;
    case "literal":
      return text;
  }
}

Deno.test("Parser binds operators as WGSL does", () => {
  const cases = [
    ["a + b * c - d", "((a + (b * c)) - d)"],
    ["a || b && c == d", "(a || (b && (c == d)))"],
    ["a << 1u >> 2u", "((a << 1u) >> 2u)"],
    ["a >= b", "(a >= b)"],
    ["a > b", "(a > b)"],
    ["a & b == c | d ^ e", "((a & (b == c)) | (d ^ e))"],
    ["-a * !b", "((-a) * (!b))"],
    ["-a.b[c]", "(-a.b[c])"],
    ["~(a + b) % 2", "((~(a + b)) % 2)"],
    ["*p + a[1]", "((*p) + a[1])"],
    ["f(a, g(), vec2<f32>(1.0, b < c),)", "f(a, g(), vec2(1.0, (b < c)))"],
    ['array<vec2<u32>, 2>(a, "b")[1]', 'array(a, "b")[1]'],
  ] as const;
  for (const [text, wanted] of cases) {
    assertEquals(shown(only(`_ = ${text};`, "assign").value), wanted);
  }
});

Deno.test("Parser reads each kind of statement", () => {
  const text = `var a = 1u; let b: vec2<f32> = vec2f(); const c = 2; a = 3u; a >>= 1u; _ = f();
    a++; b[1].x--; f(a); return; ; { a = 2u; } const_assert c > 1; break; continue; discard;
    @diagnostic(off, x) if a @diagnostic(off, x) { }`;
  assertEquals(
    statements(text).map(({ kind }) => kind).join(" "),
    "declare declare declare assign assign assign increment increment do return empty block " +
      "const_assert break continue discard if",
  );
  const { variable: { keyword, name, type } } = only("var<function> a: array<u32, 2>;", "declare");
  assertEquals([keyword, name, type?.text, type?.args.length], ["var", "a", "array", 2]);
  assertEquals(["a >>= 2u;", "a = 1;"].map((one) => only(one, "assign").operator), [">>=", "="]);
  assertEquals(only("_ = a;", "assign").target, undefined);
});

Deno.test("Parser reads what is nested in branches and loops", () => {
  const chain = only("if (a & b) == 0u { x = 1; } else if c { } else { y = 2; }", "if");
  assertEquals([chain.condition.kind, chain.then.statements.length], ["binary", 1]);
  const second = chain.otherwise!;
  assertEquals(second.kind === "if" && second.otherwise?.kind, "block");
  const { clauses } = only(
    "switch a { case 1, 2u: { } case default { } case N, default, { } default: {} }",
    "switch",
  );
  assertEquals(clauses.map(({ isDefault }) => isDefault), [false, true, true, true]);
  const head = (text: string) => {
    const { init, condition, continuing, breakIf, body } = only(text, "loop");
    return [init?.kind, condition?.kind, continuing.length, breakIf?.kind, body.statements.length];
  };
  assertEquals(head("for (var i = 0u; i < 3u; i++) { f(i); }"), [
    ...["declare", "binary", 1, undefined, 1],
  ]);
  assertEquals(head("for (;;) { }"), [undefined, undefined, 0, undefined, 0]);
  assertEquals(head("while a { }"), [undefined, "name", 0, undefined, 0]);
  assertEquals(head("loop { a(); continuing { b(); ; break if d; } }"), [
    ...[undefined, undefined, 2, "name", 1],
  ]);
});

Deno.test("expressionsOf() and statementsOf() give what a statement is made of", () => {
  const cases: Readonly<Record<string, readonly [expressions: string, statements: string]>> = {
    "a[b] = c;": ["index name", ""],
    "for (a = 1; b; c++) { d(); }": ["name", "assign block increment"],
    "loop { continuing { break if a; } }": ["name", "block"],
    "return a;": ["name", ""],
    "if a {} else if b {}": ["name", "block if"],
    "switch a { case 1 {} default {} }": ["name", "block block"],
    "{ a(); return; }": ["", "do return"],
    "let a = 1;": ["literal", ""],
    "a++;": ["name", ""],
  };
  const kinds = (nodes: readonly Node[]) => nodes.map(({ kind }) => kind).join(" ");
  for (const [text, wanted] of Object.entries(cases)) {
    const [statement] = statements(text);
    assertEquals([expressionsOf(statement!), statementsOf(statement!)].map(kinds), [...wanted]);
  }
});

const GLOBALS = `
enable f16; requires x, y; const_assert b > 2u;
@group(1) @binding(2) var<storage, read_write> a: array<vec2<f32>>;
const b = 3u; override c: f32 = 2; ;
alias C = vec3<f32>;
struct D { @builtin(position) e: vec4f, @size(16) f: C }
@compute @workgroup_size(8, 2) fn g(d: D, @builtin(workgroup_id) h: vec3u) {
  var i: u32 = b; { let j = 1; }
}
fn k() -> @location(0) vec4f { return vec4f(); }
@service(40000) fn host(x: u32,) -> u32;
`;

Deno.test("Parser reads declarations with their attributes", () => {
  const { globals, source } = new Module(GLOBALS);
  const told = globals.map((one) => {
    if (one.kind === "directive") return `directive ${one.text}`;
    const attributes = "attributes" in one ? one.attributes.map(({ name }) => name) : [];
    assertEquals(source.slice(one.nameStart, one.nameStart + one.name.length), one.name);
    return [one.kind, one.name, ...attributes].join(" ");
  });
  assertEquals(told, [
    ...["directive enable", "directive requires", "directive const_assert"],
    ...["variable a group binding", "variable b", "variable c", "alias C", "struct D"],
    ...["function g compute workgroup_size", "function k", "function host service"],
  ]);
  const [g, k, host] = globals.filter((one) => one.kind === "function");
  assertEquals(g!.parameters.map(({ name, type }) => [name, type!.text]), [
    ["d", "D"],
    ["h", "vec3u"],
  ]);
  assertEquals([k!.result?.text, host!.body, source.slice(host!.list.start, host!.list.end)], [
    ...["vec4f", undefined, "x: u32,"],
  ]);
});

Deno.test("nodes hold their parts in the order of the text", () => {
  for (const node of new Module(GLOBALS).globals.flatMap((one) => [...nodesIn(one)])) {
    let at = node.start;
    for (const { start, end } of node.parts) {
      assertEquals(at <= start && start < end && end <= node.end, true, node.kind);
      at = end;
    }
  }
});

Deno.test("a text that ends or begins anywhere is read, or refused at a character", () => {
  for (let at = 0; at < GLOBALS.length; at++) {
    for (const part of [GLOBALS.slice(0, at), GLOBALS.slice(at)]) {
      const read = tryModule(part);
      if (!(read instanceof TextFault)) continue;
      assertEquals(read.start >= 0 && read.start <= part.length, true, part);
    }
  }
});

/** What is refused: `‸` is before the character that is at fault. */
const REFUSED: readonly (readonly [text: string, reason: string])[] = [
  ["fn f() { a + 1‸; }", "= is expected and not ;"],
  ["fn f() { a = 1 ‸}", "; is expected and not }"],
  ["fn f() { a = ‸+ +; }", "a value is expected and not +"],
  ["fn f() { if a ‸b }", "{ is expected and not b"],
  ["fn f() { switch a { ‸b: {} } }", "default is expected and not b"],
  ["fn f() { let ‸= 1; }", "a name is expected and not ="],
  ["fn f() { let a‸; }", "= is expected and not ;"],
  ["fn f() { var<‸private> a = 1; }", "a variable of a function is in no other memory"],
  ["fn f() { g(a ‸b); }", ") is expected and not b"],
  ["fn f() { let q = (2)‸); }", "; is expected and not )"],
  ["fn f() { let a = 1; ‸fn g() {}", "fn stands in a function: a bracket before it is not closed"],
  ["fn f() ‸{ if true { let a = 1; }", "this bracket is not closed: } is missing"],
  ["fn f() { let b = max‸(a, 1", "this bracket is not closed: ) is missing"],
  ["fn f() { a‸[1", "this bracket is not closed: ] is missing"],
  ["fn f‸(a: u32", "this bracket is not closed: ) is missing"],
  ["struct A ‸{ a: u32", "this bracket is not closed: } is missing"],
  ["‸1 fn f() {}", "a declaration is expected and not 1"],
  ["‸/* /* */ fn f() {}", "this comment is not closed: write */"],
  ['fn f() { g(‸"a); }\n', "this string is not closed on its line"],
  [`fn f() { let a = ${"(".repeat(249)}‸(1`, "more than 250 brackets are open here"],
  [`fn f() { let a = ${"!".repeat(249)}‸!1`, "more than 250 brackets are open here"],
  [
    `alias A = ${"array<".repeat(250)}array‸<u32${">".repeat(251)};`,
    "more than 250 brackets are open here",
  ],
  [`fn f() ${"{".repeat(250)}‸{`, "more than 250 brackets are open here"],
];

Deno.test("a body that is no WGSL here may be left to a compiler, with its calls", () => {
  const text = "fn f() { g(1u) =>> { h(); } }\nfn g(x: u32) { f(); }";
  const module = new Module(text, { leavesUnread: true });
  const [f, g] = module.functions;
  assertEquals(f!.body!.fault?.start, text.indexOf("=>>") + 1);
  assertEquals(module.calls.get(f!)!.map((call) => call.text), ["g", "h"]);
  assertEquals(module.calls.get(f!)![0]!.callee.declared, g);
  assertEquals([g!.body!.fault, module.calls.get(g!)!.length], [undefined, 1]);
  for (const open of ["fn f() { a => {", `fn f() { ${"(".repeat(300)}1${")".repeat(300)} }`]) {
    assertThrows(() => new Module(open, { leavesUnread: true }), TextFault);
  }
});

Deno.test("Parser refuses what is no WGSL, at its character", () => {
  for (const [marked, reason] of REFUSED) {
    const start = marked.indexOf("‸");
    const fault = assertThrows(() => new Module(marked.replace("‸", "")), TextFault, reason);
    assertEquals(fault.start, start, marked);
  }
});
