import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { authorSteps } from "./author_steps.ts";

Deno.test("authorSteps() finds steps by their numbers, in any order", () => {
  const { names, places, authorText } = authorSteps(
    "fn step_1() {} fn step_0() {} fn step_size() {}",
  );
  assertEquals(names, ["step_0", "step_1"]);
  assertEquals(places, ["after step_0", "after step_1"]);
  assertEquals(authorText, "fn step_1() {} fn step_0() {} fn step_size() {}");
});

Deno.test("authorSteps() finds steps by their names, in the order of the text", () => {
  const { names, generated } = authorSteps("fn step_ask() {} fn step_again() { go(STEP_ASK); }");
  assertEquals(names, ["step_ask", "step_again"]);
  assertStringIncludes(generated, "const STEP_ASK = 0u;\nconst STEP_AGAIN = 1u;\n");
});

Deno.test("authorSteps() refuses a text without steps, one with a gap, and a name twice", () => {
  const cases = [
    ["fn main() {}", "has no step"],
    ["// fn kernel() {}", "has no step"],
    ["fn step_0() {} fn step_2() {}", "step_1 is missing"],
    ["fn step_0() {} fn step_0() {}", "step_0 is there twice"],
    ["fn step_a() {} fn step_A() {}", "step_A is there twice"],
  ] as const;
  for (const [text, reason] of cases) assertThrows(() => authorSteps(text), TypeError, reason);
});

Deno.test("authorSteps() puts blanks where the text of a kernel was, and says where steps begin", () => {
  const source = "@service(40001) fn s();\nfn kernel() {\n  s(); // first\n  s();\n}\nfn f() {}";
  const { authorText, names, places } = authorSteps(source);
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
