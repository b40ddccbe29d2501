import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { Module } from "../text/module.ts";
import { type AuthorSteps, authorSteps } from "./author_steps.ts";
import { KernelText } from "./kernel_text.ts";

function stepsOf(source: string): AuthorSteps {
  return authorSteps(new KernelText(new Module(source)));
}

Deno.test("authorSteps() finds steps by their numbers, in any order", () => {
  const { names, places, authorText } = stepsOf(
    "fn step_1() {} fn step_0() {} fn step_size() {}",
  );
  assertEquals(names, ["step_0", "step_1"]);
  assertEquals(places, ["after step_0", "after step_1"]);
  assertEquals(authorText, "fn step_1() {} fn step_0() {} fn step_size() {}");
});

Deno.test("authorSteps() finds steps by their names, in the order of the text", () => {
  const { names, generated } = stepsOf("fn step_ask() {} fn step_again() { go(STEP_ASK); }");
  assertEquals(names, ["step_ask", "step_again"]);
  assertStringIncludes(generated, "const STEP_ASK = 0u;\nconst STEP_AGAIN = 1u;\n");
});

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

const SERVICES = `@service(40000) fn square(x: u32) -> u32;
@service(40001) @cast fn tell(x: u32);
`;

function kernelSteps(text: string): string {
  const { generated } = stepsOf(SERVICES + text);
  return generated.slice(0, generated.indexOf("struct Frame {"));
}

Deno.test("authorSteps() of a kernel writes a loop around a call as steps", () => {
  const steps = kernelSteps(`
fn kernel() {
  var sum = 0u;
  for (var i = 0u; i < lane_index; i++) {
    // odd ones only
    if i % 2u == 1u { sum += square(i); }
  }
  tell(sum);
}`);
  assertEquals(
    steps,
    `const STEP_KERNEL = 0u;
const STEP_KERNEL_6 = 1u;
const STEP_KERNEL_8 = 2u;
const STEP_KERNEL_6_2 = 3u;
const STEP_KERNEL_10 = 4u;
fn step_kernel() {
  frame.sum = 0u;
  frame.i = 0u;
  go(STEP_KERNEL_6);
}
fn step_kernel_6() {
  if frame.i < lane_index {
    if frame.i % 2u == 1u {
      let square_x: u32 = frame.i;
      packet_set(0u, square_x); call(40000);
      go(STEP_KERNEL_8);
    } else {
      go(STEP_KERNEL_6_2);
    }
  } else {
    let tell_x: u32 = frame.sum;
    packet_set(0u, tell_x); cast_call(40001);
    go(STEP_KERNEL_10);
  }
}
fn step_kernel_8() {
  let square_value: u32 = reply(0u);
  frame.sum += square_value;
  go(STEP_KERNEL_6_2);
}
fn step_kernel_6_2() {
  frame.i++;
  go(STEP_KERNEL_6);
}
fn step_kernel_10() {
  finish();
}
`,
  );
});

Deno.test("authorSteps() of a kernel leaves statements without calls as they are, comments included", () => {
  const steps = kernelSteps(
    "fn kernel() {\n  let a = square(1u);\n  loop { /* once */ if a > 1u { break; } }\n}",
  );
  assertStringIncludes(steps, "  loop { /* once */ if a > 1u { break; } }\n");
});

Deno.test("authorSteps() of a kernel leads out of a kept statement by a step", () => {
  const text =
    "fn f() -> u32 { let a = square(1u); if a > 1u { return a + 1u; } return 0u; } fn kernel() { tell(f()); }";
  const steps = kernelSteps(text);
  assertStringIncludes(
    steps,
    "if a > 1u { { frame.f_result = a + 1u; go(frame.f_back); return; } }",
  );
  assertStringIncludes(steps, "frame.f_back = STEP_KERNEL_3;\n  go(STEP_F);");
});

Deno.test("authorSteps() of a kernel hands a copy to what takes a pointer", () => {
  const text =
    "fn add(p: ptr<function, u32>) { *p += 1u; } fn kernel() { var a = 1u; tell(a); add(&a); tell(a); }";
  assertStringIncludes(
    kernelSteps(text),
    "  var copy_a_1 = frame.a;\n  add(&copy_a_1);\n  frame.a = copy_a_1;\n",
  );
  const request = "fn f(p: ptr<function, u32>) -> u32 { *p += 1u; return *p; }\n" +
    "fn kernel() { var a = 1u; tell(a); call(f(&a)); tell(a); }";
  assertStringIncludes(kernelSteps(request), "  call(f(&copy_a_1));\n  frame.a = copy_a_1;\n");
});

Deno.test("authorSteps() of a kernel gives steps names that the text does not have", () => {
  const { names } = stepsOf("fn step_kernel() {} fn kernel() { step_kernel(); }");
  assertEquals(names, ["step_x_kernel"]);
  const capitals = "const STEP_KERNEL = 1u; fn count() { print(); } fn kernel() { count(); }";
  assertEquals(stepsOf(capitals).names, [
    ...["step_kernel_2", "step_kernel_1", "step_count_2", "step_count_1"],
  ]);
});

Deno.test("authorSteps() of a kernel says how much of a stream its printf needs", () => {
  assertEquals(stepsOf("fn kernel() {}").printfBytes, 0);
  assertEquals(stepsOf('fn kernel() { printf("a %u\\n", 1u); }').printfBytes, 16);
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

/** The names of what the steps of a kernel declare, and of constants. */
function namesOf(text: string): string[] {
  const { generated } = stepsOf(SERVICES + text);
  const steps = generated.slice(0, generated.indexOf("struct Frame {"));
  return [...steps.matchAll(/(?:let|var|const) ([a-z]\w*)/g)].map(([, name]) => name!);
}

Deno.test("variables of one name in different blocks have different ones in steps", () => {
  assertEquals(namesOf("fn kernel() { let a = 1u; { let a = 2u; } { var a = 3u; } }"), [
    "a",
    "a_2",
    "a_3",
  ]);
});

Deno.test("a variable hides nothing that the text or the generated part mentions", () => {
  const text = `
    const outer = 1u;
    struct Part { inside: u32 }
    fn kernel() {
      let outer = 2u; let frame = 3u; let max = max(outer, frame); let inside = 4u; let go = 5u;
      let a_2 = 6u; let a = 7u; { let a = a; }
    }`;
  assertEquals(namesOf(text), [
    ...["outer_2", "frame_2", "max_2", "inside", "go_2"],
    ...["a_2", "a", "a_3"],
  ]);
});

Deno.test("constants of a function have names of their own in the module", () => {
  assertEquals(namesOf("fn kernel() { const n = 1u; let n_ = n; { const n = 2u; } }"), [
    "const_n_3_21",
    "n_",
    "n",
  ]);
});

Deno.test("what is kept of an expression has a name, too", () => {
  assertEquals(namesOf("fn kernel() { let a = square(1u); }"), ["square_x", "square_value", "a"]);
});
