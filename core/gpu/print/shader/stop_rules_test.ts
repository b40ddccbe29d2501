import { assertEquals } from "@std/assert";
import { Types } from "../../text/inference.ts";
import { Module } from "../../text/module.ts";
import { printingCalls } from "../print_calls.ts";
import { StopRules } from "./stop_rules.ts";

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
