import { assertEquals } from "@std/assert";
import { graphOf } from "../testdata/graph_of.ts";
import { livenessOf, mentionsOf, reachableFrom, stepsOf } from "./kernel_graph.ts";

function stepCount(text: string): number {
  return stepsOf(graphOf(text).entry).length;
}

Deno.test("a step begins at the start, after each call, and where ways meet", () => {
  assertEquals(stepCount("fn kernel() {}"), 1);
  assertEquals(stepCount("fn kernel() { note(1u); note(2u); }"), 3);
  assertEquals(
    stepCount("fn kernel() { if is_odd(1u) { store(); } else { store(); } } fn store() {}"),
    3,
  );
  // Both calls of a branch lead to one place behind it.
  const branch =
    "if lane_index == 0u { note(1u); let a = 2u; } else { note(3u); let a = 4u; } let b = 5u;";
  assertEquals(stepCount(`fn kernel() { ${branch} }`), 4);
});

Deno.test("a statement without calls is no step, however it branches", () => {
  const loop = "for (var i = 0u; i < 9u; i++) { if i == a { continue; } if i > 5u { return; } }";
  assertEquals(stepCount(`fn kernel() { let a = square(1u); ${loop} }`), 2);
});

Deno.test("blocks that only lead on are passed by", () => {
  const { entry } = graphOf(
    "fn kernel() { loop { loop { note(1u); break; } if lane_index == 0u { break; } } }",
  );
  for (const block of reachableFrom(entry)) {
    const { operations, terminator } = block;
    const isEmpty = operations.length === 0 && terminator.kind === "goto";
    assertEquals(isEmpty, false);
  }
});

Deno.test("a loop that does nothing is a step that leads to itself", () => {
  const { entry } = graphOf("fn kernel() { note(1u); loop { if lane_index == 9u { note(2u); } } }");
  assertEquals(stepsOf(entry).length, 2);
});

/** The names that are wanted where each step begins. */
function wanted(text: string): string[] {
  const { module, graph, entry } = graphOf(text);
  const { before } = livenessOf(reachableFrom(entry), mentionsOf(module, graph));
  return stepsOf(entry).map((step) =>
    [...before.get(step)!].map(({ name }) => name).toSorted().join(" ")
  );
}

Deno.test("what is mentioned after a call is wanted there, and nothing else", () => {
  assertEquals(wanted("fn kernel() { let a = 1u; let b = 2u; note(a); note(b); }"), ["", "b", ""]);
  assertEquals(wanted("fn kernel() { var a = 1u; note(a); a = 2u; note(a); }"), ["", "", ""]);
  assertEquals(wanted("fn kernel() { var a = vec2u(); note(1u); a.x = 2u; note(a.y); }"), [
    "",
    "a",
    "",
  ]);
});

Deno.test("what one of two ways wants is wanted before both", () => {
  const text = `fn kernel() {
    let a = 1u; var b = 2u;
    note(3u);
    if lane_index == 0u { b = 4u; } else { note(a); }
    note(b);
  }`;
  assertEquals(wanted(text)[1], "a b");
});

Deno.test("a loop wants what its next round wants", () => {
  const text =
    "fn kernel() { var a = 1u; for (var i = 0u; i < 3u; i++) { note(i); a += 1u; } note(a); }";
  assertEquals(wanted(text), ["", "a i", "a i", ""]);
});

Deno.test("a way out of a kept statement wants what is wanted where it leads", () => {
  const text = `fn kernel() {
    var a = 1u; var i = 0u;
    loop {
      note(i);
      if lane_index == 0u { break; }
      i++; a = 5u;
    }
    note(a);
  }`;
  assertEquals(wanted(text)[2], "a i", "after the call in the loop");
});

Deno.test("what begins in a kept statement is not wanted before it", () => {
  assertEquals(wanted("fn kernel() { note(1u); { let a = 2u; var b = a; b += a; } note(3u); }"), [
    "",
    "",
    "",
  ]);
});

Deno.test("a value that is kept for the rest of its expression is wanted", () => {
  assertEquals(wanted("fn kernel() { let a = square(1u) + square(2u); }"), [
    "",
    "",
    "square_value",
  ]);
  assertEquals(
    wanted("fn kernel() { if is_odd(1u) && is_odd(2u) { note(1u); } }").includes("kept"),
    true,
  );
});
