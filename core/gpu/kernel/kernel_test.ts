import { assertEquals, assertThrows } from "@std/assert";
import { TextFault } from "../text/lines.ts";
import { Module } from "../text/module.ts";
import { nodesIn } from "../text/syntax.ts";
import { kernelOf } from "./testdata/graph_of.ts";
import { authorSteps } from "./author_steps.ts";
import { KernelText } from "./kernel_text.ts";
import { pointeeOf } from "./graph.ts";

Deno.test("pointeeOf() follows pointers to the variable that they lead to, or into", () => {
  const { module } = kernelOf(`var<private> shared_a: u32;
    fn kernel() {
      var a: array<vec2u, 2>; let p = &a; let q = (p); let r = &(*q); let s = &(*r)[1];
      let t = &s.x; let u = &shared_a; let v = a; let w = v[0].x; var x = 1u; { var a = 2u; let b = &a; }
    }`);
  const variables = [...nodesIn(module.functions[0]!)].filter((node) => node.kind === "variable");
  const found = variables.flatMap((pointer) => {
    const pointee = pointeeOf(pointer);
    const at = pointee && variables.indexOf(pointee.variable);
    return pointee ? [`${pointer.name} ${at} ${pointee.isWhole}`] : [];
  });
  assertEquals(found, ["p 0 true", "q 0 true", "r 0 true", "s 0 false", "t 0 false", "b 10 true"]);
});

const TEXT = `
@service(40000) fn square(x: u32) -> u32;
fn inner() { let a = square(1u); }
fn outer(a: u32) { if a == 1u { inner(); } plain(); }
fn plain() -> u32 { return min(1u, 2u); }
fn prints() { printf("a"); }
fn asks() { call(40000u); }
fn kernel() { outer(plain()); prints(); asks(); }
fn unused() { inner(); }
`;

Deno.test("Kernel finds what calls the host, callers before what they call", () => {
  const names = (text: string) => [...kernelOf(text).suspending].map(({ name }) => name);
  const order = names(TEXT);
  assertEquals(order[0], "kernel");
  const wanted = ["asks", "inner", "kernel", "outer", "prints", "unused"];
  assertEquals(order.toSorted(), wanted);
  for (const [caller, called] of [["kernel", "outer"], ["outer", "inner"], ["unused", "inner"]]) {
    assertEquals(order.indexOf(caller!) < order.indexOf(called!), true, `${caller} ${called}`);
  }
  assertEquals(names("fn f() {} fn kernel() { f(); }"), ["kernel"], "one that does not call, too");
  assertEquals([...kernelOf(TEXT).reached].length, 5, "unused is not reached");
});

Deno.test("a function that is no WGSL here is a compiler's, unless it calls the host", () => {
  const text = (body: string) =>
    new KernelText(
      new Module(`fn f() { ${body} =>> 1; }\nfn kernel() { f(); print(); }`, {
        leavesUnread: true,
      }),
    );
  const { authorText } = authorSteps(text("let a = min(1u, 2u);"));
  assertEquals(authorText.split("\n")[0], "fn f() { let a = min(1u, 2u); =>> 1; }");
  for (const body of ['printf("a");', "print();", "call(1u);"]) {
    assertThrows(() => authorSteps(text(body)), TextFault, "a value is expected and not =");
  }
});

Deno.test("a function or variable of the author's by a name of the library's is no request", () => {
  const suspends = (text: string) => kernelOf(text).suspending.size > 1;
  assertEquals(suspends("fn call(x: u32) {} fn f() { call(1u); } fn kernel() { f(); }"), false);
  assertEquals(suspends("fn f() { call(1u); } fn kernel() { f(); }"), true);
});
