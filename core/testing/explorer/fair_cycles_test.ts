import { assertEquals } from "@std/assert";
import { findFairCycle, StepList } from "./fair_cycles.ts";

/** For each state: who is ready, and the steps as pairs of a target and who takes it. */
function listOf(states: readonly (readonly [number, ...(readonly [number, number])[]])[]) {
  const list = new StepList();
  for (const [ready, ...steps] of states) {
    list.beginState(ready);
    for (const [target, takers] of steps) list.add(target, takers);
  }
  list.finish();
  return list;
}

Deno.test("findFairCycle() finds none where every run ends", () => {
  assertEquals(findFairCycle(listOf([[3, [1, 1], [2, 2]], [2, [2, 2]], [0]]), 2), undefined);
});

Deno.test("findFairCycle() finds a cycle in which everybody steps", () => {
  assertEquals(findFairCycle(listOf([[3, [1, 1]], [3, [2, 1]], [3, [1, 2]]]), 2), 1);
});

Deno.test("findFairCycle() passes over a cycle in which somebody is kept from going on", () => {
  assertEquals(findFairCycle(listOf([[3, [0, 1], [1, 2]], [0]]), 2), undefined);
});

Deno.test("findFairCycle() finds a cycle in which the other can go on only now and then", () => {
  const list = listOf([[1, [1, 1]], [3, [0, 1], [2, 2]], [0]]);
  assertEquals(findFairCycle(list, 2), 0);
});
