import { assertEquals, assertStringIncludes } from "@std/assert";
import { resumableKernel } from "./resumable_kernel.ts";

const SERVICES = `@service(40000) fn square(x: u32) -> u32;
@service(40001) @cast fn tell(x: u32);
`;

function stepsOf(text: string): string {
  return resumableKernel(SERVICES + text).steps;
}

Deno.test("resumableKernel() writes a loop around a call as steps", () => {
  const { steps, fields } = resumableKernel(`${SERVICES}
fn kernel() {
  var sum = 0u;
  for (var i = 0u; i < lane_index; i++) {
    // odd ones only
    if i % 2u == 1u { sum += square(i); }
  }
  tell(sum);
}`);
  assertEquals(fields.map(({ name }) => name), ["sum", "i"]);
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

Deno.test("resumableKernel() leaves statements without calls as they are, comments included", () => {
  const steps = stepsOf(
    "fn kernel() {\n  let a = square(1u);\n  loop { /* once */ if a > 1u { break; } }\n}",
  );
  assertStringIncludes(steps, "  loop { /* once */ if a > 1u { break; } }\n");
});

Deno.test("resumableKernel() leads out of a kept statement by a step", () => {
  const text =
    "fn f() -> u32 { let a = square(1u); if a > 1u { return a + 1u; } return 0u; } fn kernel() { tell(f()); }";
  const steps = stepsOf(text);
  assertStringIncludes(
    steps,
    "if a > 1u { { frame.f_result = a + 1u; go(frame.f_back); return; } }",
  );
  assertStringIncludes(steps, "frame.f_back = STEP_KERNEL_3;\n  go(STEP_F);");
});

Deno.test("resumableKernel() hands a copy to what takes a pointer", () => {
  const text =
    "fn add(p: ptr<function, u32>) { *p += 1u; } fn kernel() { var a = 1u; tell(a); add(&a); tell(a); }";
  assertStringIncludes(
    stepsOf(text),
    "  var copy_a_1 = frame.a;\n  add(&copy_a_1);\n  frame.a = copy_a_1;\n",
  );
  const request = "fn f(p: ptr<function, u32>) -> u32 { *p += 1u; return *p; }\n" +
    "fn kernel() { var a = 1u; tell(a); call(f(&a)); tell(a); }";
  assertStringIncludes(stepsOf(request), "  call(f(&copy_a_1));\n  frame.a = copy_a_1;\n");
});

Deno.test("resumableKernel() gives steps names that the text does not have", () => {
  const { stepNames } = resumableKernel("fn step_kernel() {} fn kernel() { step_kernel(); }");
  assertEquals(stepNames, ["step_x_kernel"]);
});

Deno.test("resumableKernel() says how much of a stream its printf needs", () => {
  assertEquals(resumableKernel("fn kernel() {}").printfBytes, 0);
  assertEquals(resumableKernel('fn kernel() { printf("a %u\\n", 1u); }').printfBytes, 16);
});
