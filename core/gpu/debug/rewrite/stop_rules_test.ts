import { assertEquals } from "@std/assert";
import type { FunctionDeclaration } from "../../syntax/declarations.ts";
import { WgslText } from "../../syntax/wgsl_text.ts";
import { assertCalls } from "./assert_calls.ts";
import { CallGraph } from "./call_graph.ts";
import { StopRules } from "./stop_rules.ts";

const text = new WgslText(`
fn both() -> f32 { assert(true); return 1.0; }
fn pixel() { assert(true); }
fn meets() { assert(true); }
@fragment fn fs() { pixel(); _ = both(); }
@compute @workgroup_size(1) fn main() { _ = both(); }
@compute @workgroup_size(1) fn together() { meets(); workgroupBarrier(); }`);
const graph = new CallGraph(text);

function named(name: string): FunctionDeclaration {
  return graph.functions.find((one) => one.name.text === name)!;
}

function rules(isStopping: boolean): StopRules {
  return new StopRules(graph, { asserts: assertCalls(text), flag: "stopped", isStopping });
}

Deno.test("StopRules discards pixels, returns from compute, and keeps lanes that meet", () => {
  const stopping = rules(true);
  assertEquals(stopping.stopText(named("pixel"), false), "discard;");
  assertEquals(stopping.stopText(named("both"), false), "stopped = true; return f32();");
  assertEquals(stopping.stopText(named("both"), true), "stopped = true;");
  assertEquals(stopping.stopText(named("meets"), false), "");
  assertEquals(rules(false).stopText(named("pixel"), false), "");
});

Deno.test("StopRules looks at the flag where a called function may have set it", () => {
  const stopping = rules(true);
  const checks = (name: string) =>
    graph.bodyOf(named(name))!.statements.map((one) => stopping.checkText(named(name), one).trim());
  assertEquals(checks("fs"), ["", "if stopped { discard; }"]);
  assertEquals(checks("main"), ["if stopped { return; }"]);
  assertEquals(checks("together"), ["", ""]);
});
