import { assertEquals } from "@std/assert";
import { graphOf } from "../testdata/graph_of.ts";
import { reachableFrom } from "./liveness.ts";
import { stepsOf } from "./steps.ts";

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
