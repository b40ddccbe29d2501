import { assertEquals, assertThrows } from "@std/assert";
import { Module } from "../text/module.ts";
import { type AuthorSteps, authorSteps } from "./author_steps.ts";
import { KernelText } from "./kernel_text.ts";

function stepsOf(source: string): AuthorSteps {
  return authorSteps(new KernelText(new Module(source)));
}

Deno.test("authorSteps() refuses a text without steps, one with a gap, and a name twice", () => {
  const cases = [
    ["@compute @workgroup_size(1) fn main() {}", "neither fn kernel() nor steps"],
    ["fn main() {}", "or use withPrintf for a shader of your own"],
    ["// fn kernel() {}", "neither fn kernel() nor steps"],
    ["fn step_0() {} fn step_2() {}", "step_1 is missing"],
    ["fn step_0() {} fn step_0() {}", "step_0 is there twice"],
    ["fn step_a() {} fn step_A() {}", "step_A is there twice"],
  ] as const;
  for (const [text, reason] of cases) assertThrows(() => stepsOf(text), TypeError, reason);
});

Deno.test("authorSteps() puts blanks where the text of a kernel was, and says where steps begin", () => {
  const source = "@service(40001) fn s();\nfn kernel() {\n  s(); // first\n  s();\n}\nfn f() {}";
  const { authorText, names, places } = stepsOf(source);
  assertEquals(authorText.split("\n").map((line) => line.trim()), [
    "",
    "",
    "",
    "",
    "",
    "fn f() {}",
  ]);
  assertEquals(authorText.length, source.length);
  assertEquals(names, ["step_kernel", "step_kernel_3", "step_kernel_4"]);
  assertEquals(places, ["from line 2 on", "from line 3 on", "from line 4 on"]);
});

Deno.test("authorSteps() of a kernel gives steps names that the text does not have", () => {
  const { names } = stepsOf("fn step_kernel() {} fn kernel() { step_kernel(); }");
  assertEquals(names, ["step_x_kernel"]);
  const capitals = "const STEP_KERNEL = 1u; fn count() { print(); } fn kernel() { count(); }";
  assertEquals(stepsOf(capitals).names, [
    ...["step_kernel_2", "step_kernel_1", "step_count_2", "step_count_1"],
  ]);
});

Deno.test("authorSteps() orders steps by the ways between them that need no request", () => {
  const source = `@service(40001) fn s(x: u32) -> u32;
fn twice(x: u32) -> u32 {
  return s(x) + s(x);
}
fn kernel() {
  for (var time = 0u; time < 3u; time++) {
    let found = twice(time);
    s(found);
  }
}`;
  const { names, order } = stepsOf(source);
  assertEquals(order.toSorted((a, b) => a - b), [...names.keys()]);
  const placeOf = (name: string) => order.indexOf(names.indexOf(name));
  const isBefore = (one: string, other: string) =>
    assertEquals(placeOf(one) < placeOf(other), true);
  // The loop is entered from above, and again when the last call in it is answered.
  isBefore("step_kernel", "step_kernel_6");
  isBefore("step_kernel_8", "step_kernel_6");
  isBefore("step_kernel_6", "step_twice");
});
