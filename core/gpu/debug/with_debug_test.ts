import { assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import { onDevice } from "../device/on_device_test.ts";
import { PrintfError } from "../printf/printf_calls.ts";
import { debugging, dispatch, EVERYTHING } from "./testdata/debugging.ts";
import { withDebug } from "./with_debug.ts";

onDevice("a debugged shader computes what it did", async ({ device }) => {
  const words = Array.from({ length: 8 }, () => 0);
  const module = device.createShaderModule({ code: EVERYTHING });
  const wanted = await dispatch(device, module, { words, workgroupCount: 1 });
  const asserting = EVERYTHING.replaceAll(
    /\) (-> u32 )?\{ /g,
    (open) => `${open}assert(count < 1000u, "%u", count); `,
  );
  const { words: got, failures } = await debugging(device, asserting, { words });
  assertEquals(got, wanted);
  assertEquals(failures, []);
});

Deno.test("withDebug() keeps the lines of the text", () => {
  const { source } = withDebug(EVERYTHING.replace("count++;", "count++; assert(by < 99u);"));
  const lines = source.split("\n");
  EVERYTHING.split("\n").forEach((line, at) => {
    const [first = ""] = /[a-z]\w+/.exec(line.replace("return", "")) ?? [];
    assertStringIncludes(lines[at]!, first);
  });
});

Deno.test("withDebug() rejects what is wrong at the author's line", () => {
  const cases: readonly (readonly [body: string, reason: string])[] = [
    ["assert();", "assert has no condition: write assert(x < 4u"],
    ["assert(x);", "assert takes a bool and x is u32: write x != 0"],
    ["assert(vec2f(1) == vec2f(2));", "write all(vec2f(1) == vec2f(2))"],
    ['assert("x is %u", x);', "a condition comes first"],
    ['assert(true, "%u");', "takes 1 argument and 0 are given"],
    ['assert(true, "%d", x);', "%d takes i32 and x is u32: write %u"],
    ["assert(true, x);", "its format has to be a string literal"],
    ["let a = assert(true);", "assert has no value and is a statement of its own"],
    ["for (assert(true); x < 2u; ) { }", "a statement of its own"],
    ["} fn assert(a: bool) {", "rename it"],
    ['printf("%d", x);', "%d takes i32 and x is u32: write %u"],
    [
      "} @vertex fn vs() -> @builtin(position) vec4f { assert(true); return vec4f();",
      "check in a fragment or compute stage",
    ],
    ['} @vertex fn vs() -> @builtin(position) vec4f { printf(""); return vec4f();', "vertex stage"],
  ];
  for (const [body, reason] of cases) {
    const source =
      `// first\nfn f(x: u32) {\n  ${body}\n}\n@compute @workgroup_size(1) fn main() { f(1u); }`;
    const error = assertThrows(() => withDebug(source), PrintfError);
    assertStringIncludes(error.message, reason);
    assertEquals(error.line, 3, body);
  }
  assertThrows(() => withDebug("assert(true);"), PrintfError, "write const_assert");
});

onDevice("compile() says what is wrong at the author's line and column", async ({ device }) => {
  const source = `fn f(x: u32) {
  assert(x < 2u, "x"); let y: f32 = x;
}
@compute @workgroup_size(1) fn main() { f(1u); }`;
  const error = await assertRejects(() => withDebug(source).compile(device), PrintfError);
  assertEquals([error.line, error.column > 20], [2, true], error.message);
});
