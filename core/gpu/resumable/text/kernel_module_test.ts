import { assertEquals } from "@std/assert";
import { moduleOf } from "../testdata/graph_of.ts";
import { pointeeOf } from "./kernel_module.ts";
import { resolveFunction } from "./resolve_names.ts";

Deno.test("pointeeOf() follows pointers to the variable that they lead to, or into", () => {
  const module = moduleOf(`var<private> shared_a: u32;
    fn kernel() {
      var a: array<vec2u, 2>; let p = &a; let q = (p); let r = &(*q); let s = &(*r)[1];
      let t = &s.x; let u = &shared_a; let v = a; let w = v[0].x; var x = 1u; { var a = 2u; let b = &a; }
    }`);
  resolveFunction(module, module.suspending.get("kernel")!);
  const variables = [...new Set(module.names.values())];
  const found = variables.flatMap((pointer) => {
    const pointee = pointeeOf(module, pointer);
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

Deno.test("suspendingNames() finds what calls the host, callers before what they call", () => {
  const { suspending } = moduleOf(TEXT);
  assertEquals([...suspending.keys()][0], "kernel");
  assertEquals([...suspending.keys()].toSorted(), [
    "asks",
    "inner",
    "kernel",
    "outer",
    "prints",
    "unused",
  ]);
  const order = [...suspending.keys()];
  for (const [caller, called] of [["kernel", "outer"], ["outer", "inner"], ["unused", "inner"]]) {
    assertEquals(order.indexOf(caller!) < order.indexOf(called!), true, `${caller} ${called}`);
  }
});

Deno.test("suspendingNames() has a kernel that does not call, too", () => {
  assertEquals([...moduleOf("fn f() {} fn kernel() { f(); }").suspending.keys()], [
    "kernel",
  ]);
});
