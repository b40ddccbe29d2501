import { assertEquals } from "@std/assert";
import { faultOf, reasonOf, type Said, StatementCuts } from "./fault.ts";
import { Module } from "./module.ts";

Deno.test("reasonOf() has types as WGSL writes them, and no numbers of a compiler", () => {
  const scalar = "Scalar { kind: Uint, width: 4 }";
  const message = `Shader validation error: Entry point main at Compute is invalid
  ┌─ x:8:12
  │
8 │   out[0] = a + b;
  │            ^^^^^ naga::ir::Expression [2]
  │
  = Expression [2] is invalid
  = Operation Add can't work with [0] (of type Scalar(${scalar})) and [1] (of type Vector { size: Tri, scalar: ${scalar} })
`;
  assertEquals(reasonOf(message), "Operation Add can't work with u32 and vec3<u32>");
  assertEquals(
    reasonOf(
      "Shader validation error: Function [0] 'f' is invalid\n  = The `return` expression Some([1]) does not match the declared return type Some([0])",
    ),
    "The `return` expression does not match the declared return type",
  );
  assertEquals(
    reasonOf(
      "Shader validation error: Function [0] 'f' is invalid\n  = The type of [1] doesn't match the type stored in [0]",
    ),
    "the value has another type than its place",
  );
});

Deno.test("reasonOf() says nothing twice", () => {
  const message = `Shader '' parsing error: expected expression, found ";"
  ┌─ wgsl:1:18
  │
1 │ fn f() { let a = ; }
  │                  ^ expected expression
`;
  assertEquals(reasonOf(message), 'expected expression, found ";"');
});

Deno.test("StatementCuts makes WGSL of every cut", () => {
  const text = `fn f() -> u32 {
    for (var i = 0; i < 2; i++) { g(i); }
    loop { if a { break; } else if b { continue; } else { g(1); } continuing { g(2); break if c; } }
    while a { { let b = 1; } }
    @diagnostic(off, x) if a @diagnostic(off, x) { return 1u; }
    switch a { default { } case 1, 2: { g(3); } }
    return 2u;
  }`;
  const module = new Module(text);
  const cuts = new StatementCuts(module);
  for (let count = 0; count <= cuts.parts.length; count++) {
    const cut = cuts.first(count);
    new Module(cut);
    assertEquals(cut.split("default").length <= 2, true, cut);
  }
  assertEquals(cuts.first(cuts.parts.length), text);
  const starts = cuts.parts.map(({ start }) => text.slice(start, start + 4));
  assertEquals(starts.slice(0, 5), ["for ", "g(i)", "}\n  ", "loop", "if a"]);
});

Deno.test("faultOf() finds the first statement with which a text is wrong", async () => {
  const text = "fn f() {\n  a();\n  if b {\n    c();\n    WRONG();\n  }\n}\nfn g() { d(); }";
  const said: Said = { text: "it is wrong", position: { line: 0, column: 0 } };
  const tryText = (code: string) => code.includes("WRONG") ? said : {};
  assertEquals(await faultOf(text, said, tryText), {
    position: { line: 5, column: 5 },
    reason: "it is wrong",
  });
});

Deno.test("faultOf() takes a compiler's word for what is no WGSL here", async () => {
  const said: Said = { text: "it is new", position: { line: 1, column: 3 } };
  assertEquals(await faultOf("a new declaration;", said, () => said), {
    position: { line: 1, column: 3 },
    reason: "it is new",
  });
});
