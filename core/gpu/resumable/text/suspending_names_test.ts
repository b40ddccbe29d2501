import { assertEquals } from "@std/assert";
import { KernelModule } from "./kernel_module.ts";
import { calledNames } from "./suspending_names.ts";

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
  const { suspending } = new KernelModule(TEXT);
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
  assertEquals([...new KernelModule("fn f() {} fn kernel() { f(); }").suspending.keys()], [
    "kernel",
  ]);
});

Deno.test("calledNames() gives what a function calls, members left out", () => {
  const module = new KernelModule(TEXT);
  const [, , outer] = module.declarations.functions;
  assertEquals([...calledNames(module, outer!).keys()], ["inner", "plain"]);
});
