import { assertEquals, assertStringIncludes } from "@std/assert";
import { onDevice } from "../../device/on_device_test.ts";
import { debugging } from "../testdata/debugging.ts";
import { failureText } from "../debug_report.ts";
import { withDebug } from "../with_debug.ts";

const MAIN = "@compute @workgroup_size(4) fn main(@builtin(local_invocation_index) lane: u32)";

onDevice("a failed assert tells the chain of calls, and ends its lane", async ({ device }) => {
  const source = `@group(0) @binding(0) var<storage, read_write> done: array<u32>;
fn inner(x: u32) -> u32 {
  assert(x < 2u, "x is %u", x);
  return x;
}
fn outer(x: u32) -> u32 { return inner(x) + inner(x + 1u); }
${MAIN} {
  for (var i = 0u; i < 2u; i++) { done[lane] += outer(lane); }
  done[lane] += 100u;
}`;
  const { failures, words } = await debugging(device, source, { words: [0, 0, 0, 0] });
  assertEquals(words, [102, 0, 0, 0]);
  assertEquals(failures.map((one) => failureText(one, "a.wgsl")).slice(0, 2), [
    `assertion failed: x < 2u: x is 2 [lane 1 of workgroup 0]
    at inner (a.wgsl:3:10)
    at outer (a.wgsl:6:45)
    at main (a.wgsl:8:49)
`,
    `assertion failed: x < 2u: x is 2 [lane 2 of workgroup 0]
    at inner (a.wgsl:3:10)
    at outer (a.wgsl:6:34)
    at main (a.wgsl:8:49)
`,
  ]);
  assertEquals(failures.length, 3);
  const further = await debugging(device, source, { words: [0, 0, 0, 0], onFailure: "continue" });
  assertEquals(further.words, [102, 106, 110, 114]);
  assertEquals(further.failures.length, 10);
});

onDevice("asserts stop in every kind of statement", async ({ device }) => {
  const check = "fn check(x: u32) -> u32 { assert(x != 1u); return x; }";
  const bodies = [
    "if check(lane) == 7u { } else { sums[lane] = 1u; }",
    "if false { } else if check(lane) == 7u { } else { sums[lane] = 1u; }",
    "switch check(lane) { default: { sums[lane] = 1u; } }",
    "for (var i = check(lane); i < 9u; i++) { sums[lane] = 1u; }",
    "for (var i = 0u; i < 2u; i += check(lane) + 1u) { if i > 0u { sums[lane] = 1u; } } sums[lane] = 1u;",
    "while check(lane) != 7u { sums[lane] = 1u; break; }",
    "loop { if false { break; } continuing { assert(lane != 1u); break if true; } } sums[lane] = 1u;",
    "{ { _ = check(lane); } sums[lane] = 1u; }",
    "assert(check(lane) < 9u); sums[lane] = 1u;",
    "var x = 0u; x += check(lane); sums[lane] = 1u;",
  ];
  for (const body of bodies) {
    const source = `@group(0) @binding(0) var<storage, read_write> sums: array<u32>;
${check}
${MAIN} { ${body} }`;
    const { words, failures } = await debugging(device, source, { words: [0, 0, 0, 0] });
    assertEquals(words, [1, 0, 1, 1], body);
    assertEquals(failures.map(({ place }) => place), [
      { stage: "compute", workgroupIndex: 0, laneIndex: 1 },
    ], body);
  }
});

onDevice("where lanes meet, an assert lets its lane go on", async ({ device }) => {
  const source = `@group(0) @binding(0) var<storage, read_write> sums: array<u32>;
var<workgroup> shared_sum: atomic<u32>;
${MAIN} {
  assert(lane != 1u); atomicAdd(&shared_sum, 1u); workgroupBarrier(); sums[lane] = atomicLoad(&shared_sum);
}`;
  const { words, failures } = await debugging(device, source, { words: [0, 0, 0, 0] });
  assertEquals(words, [4, 4, 4, 4]);
  assertEquals(failures.length, 1);
});

Deno.test("functions that vertex stages share stay as they are for them", () => {
  const source = `fn shade(x: f32) -> f32 { assert(x < 2.0); return x; }
@vertex fn vs() -> @builtin(position) vec4f { return vec4f(shade(1.0)); }
@fragment fn fs() -> @location(0) vec4f { return vec4f(shade(1.0)); }`;
  const [shade, vertex] = withDebug(source).source.split("\n");
  assertStringIncludes(shade!, "discard;");
  assertStringIncludes(vertex!, "vec4f(debug_plain_shade(1.0))");
});
