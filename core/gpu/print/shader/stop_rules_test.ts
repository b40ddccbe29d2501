import { assertEquals } from "@std/assert";
import { onDevice } from "../../device/on_device_test.ts";
import { Types } from "../../text/inference.ts";
import { Module } from "../../text/module.ts";
import { printingCalls } from "../print_calls.ts";
import { StopRules } from "./stop_rules.ts";
import { computing } from "../testdata/printing.ts";

const SUMS = "@group(0) @binding(0) var<storage, read_write> sums: array<u32>;\n";
const MAIN = "@compute @workgroup_size(4) fn main(@builtin(local_invocation_index) lane: u32)";

/** Bodies in which lane 1 fails, and all others set their word to 1. */
const STOPPING: readonly string[] = [
  "assert(lane != 1u); sums[lane] = 1u;",
  "_ = check(lane); sums[lane] = 1u;",
  "let x = check(lane); sums[lane] = 1u;",
  "sums[lane] = select(1u, 0u, check(lane) == 9u);",
  "if check(lane) == 7u { } else { sums[lane] = 1u; }",
  "if false { } else if check(lane) == 7u { } else { sums[lane] = 1u; }",
  "if check(lane) == 7u { } else if lane < 9u { sums[lane] = 1u; }",
  "switch check(lane) { default: { sums[lane] = 1u; } }",
  "for (var i = check(lane); i < 9u; i++) { sums[lane] = 1u; }",
  "for (var i = 0u; i < 2u; i += check(lane) + 1u) { if i > 0u { sums[lane] = 1u; } } sums[lane] = 1u;",
  "while check(lane) != 7u { sums[lane] = 1u; break; }",
  "loop { if false { break; } continuing { assert(lane != 1u); break if true; } } sums[lane] = 1u;",
  "loop { continuing { _ = check(lane); break if true; } } sums[lane] = 1u;",
  "loop { continuing { break if check(lane) != 7u; } } sums[lane] = 1u;",
  "{ { _ = check(lane); } sums[lane] = 1u; }",
  "assert(check(lane) < 9u); sums[lane] = 1u;",
  'printf_if(check(lane) > 9u, "%u", lane); sums[lane] = 1u;',
  "var x = 0u; x += check(lane); sums[lane] = 1u;",
  "sums[lane] += check(lane) - lane + 1u;",
  "sums[lane] = 1u - check(lane) + lane;",
  "var v = vec2u(); v.y = check(lane); sums[lane] = 1u;",
  "let p = &sums[lane]; *p = min(check(lane) + 1u, 1u);",
  "sums[lane] = deep(lane);",
  "let a = deep_struct(lane).list[1]; sums[lane] = a.x + 1u - a.x;",
];

onDevice("a failed assert ends its lane in every kind of statement", async ({ device }) => {
  const outside = `struct Part { list: array<vec2u, 2> }
fn check(x: u32) -> u32 { assert(x != 1u); return x; }
fn deep(x: u32) -> u32 { for (var i = 0u; ; i++) { if i > 2u { return 1u; } _ = check(x); } return 5u; }
fn deep_struct(x: u32) -> Part { var part: Part; part.list[1] = vec2u(check(x)); return part; }
`;
  for (const body of STOPPING) {
    const source = `${SUMS}${outside}${MAIN} { ${body} }`;
    const { words, text } = await computing(device, source, { words: [0, 0, 0, 0] });
    assertEquals(words, [1, 0, 1, 1], body);
    const condition = body.includes("assert(lane") ? "lane != 1u" : "x != 1u";
    const line = condition.startsWith("lane") ? 6 : 3;
    assertEquals(text, `shader:${line} [0:1] assertion failed: ${condition}\n`, body);
  }
});

onDevice("an assignment whose value fails keeps what its target was", async ({ device }) => {
  // The index is evaluated before the value, as without the assert.
  const source = `${SUMS}var<private> at = 0u;
fn next(lane: u32) -> u32 { at += 1u; assert(lane != 2u); return lane + 10u; }
${MAIN} { at = lane; sums[at] = next(lane); sums[lane + 4u] = at; sums[at + 7u] += next(lane); }`;
  const words = Array.from({ length: 12 }, (_, at) => at);
  const { words: left } = await computing(device, source, { words });
  assertEquals(left, [10, 11, 2, 13, 1, 2, 6, 4, 8 + 10, 9 + 11, 10, 11 + 13]);
});

onDevice("where lanes meet, an assert lets its lane go on", async ({ device }) => {
  const source = `${SUMS}var<workgroup> sum: atomic<u32>;
fn check(lane: u32) -> u32 { assert(lane != 1u, "lane %u\\n\\n", lane); return lane; }
${MAIN} {
  _ = check(lane); atomicAdd(&sum, 1u); workgroupBarrier(); sums[lane] = atomicLoad(&sum);
}`;
  const { words, text } = await computing(device, source, { words: [0, 0, 0, 0] });
  assertEquals(words, [4, 4, 4, 4]);
  assertEquals(text, "shader:3 [0:1] assertion failed: lane != 1u: lane 1\n");
});

const text = `
fn both() -> f32 { assert(true); return 1.0; }
fn pixel() { assert(true); }
fn late() { loop { continuing { assert(true); break if true; } } }
fn meets() { assert(true); }
fn dead() { assert(true); }
@fragment fn fs() { pixel(); _ = both(); late(); }
@compute @workgroup_size(1) fn main() { _ = both(); }
@compute @workgroup_size(1) fn together() { meets(); subgroupAdd(1); }`;

Deno.test("StopRules discards pixels, returns from compute, and keeps lanes that meet", () => {
  const module = new Module(text);
  const asserts = printingCalls(module);
  const rules = new StopRules(module, { types: new Types(module), asserts, flag: "over" });
  assertEquals(asserts.map((one) => rules.stopText(one)), [
    "over = true; return f32();",
    "over = true; discard;",
    "over = true;",
    "",
    "",
  ]);
  assertEquals(rules.stopped, "over");
  const opened = [...rules.inserted].map(([at, check]) =>
    `${module.textOf({ start: at - 9, end: at })}${check}`
  );
  assertEquals(opened, [
    " -> f32 { if over { return f32(); }",
    " { loop { if over { discard; }",
    " late() { if over { discard; }",
  ]);
});

Deno.test("StopRules need a variable where something stops, and checks where it goes on", () => {
  const cases = [
    ["@fragment fn fs() { assert(true); }", "over", 0],
    ["@compute @workgroup_size(1) fn m() { assert(true); workgroupBarrier(); }", undefined, 0],
    ["@compute @workgroup_size(1) fn m() { a(); } fn a() { assert(true); }", "over", 1],
    ["fn dead() { assert(true); }", undefined, 0],
  ] as const;
  for (const [source, stopped, count] of cases) {
    const module = new Module(source);
    const asserts = printingCalls(module);
    const rules = new StopRules(module, { types: new Types(module), asserts, flag: "over" });
    assertEquals([rules.stopped, rules.inserted.size], [stopped, count], source);
  }
});
