import { assertEquals } from "@std/assert";
import { StateTable } from "./state_table.ts";

/** More than the table has room for at first, several times over. */
const STATE_COUNT = 30_000;

function stateOf(index: number): Int32Array {
  return Int32Array.of(index % 7, index % 11 - 5, index);
}

Deno.test("StateTable keeps each state once, in the order in which they came", () => {
  const table = new StateTable(3);
  for (let index = 0; index < STATE_COUNT; index++) assertEquals(table.add(stateOf(index)), true);
  for (let index = 0; index < STATE_COUNT; index++) assertEquals(table.add(stateOf(index)), false);
  assertEquals(table.count, STATE_COUNT);
  const state = new Int32Array(3);
  table.read(STATE_COUNT - 1, state);
  assertEquals(state, stateOf(STATE_COUNT - 1));
});

Deno.test("StateTable compares canonical forms, and keeps the state that came first", () => {
  const table = new StateTable(2, { toCanonical: (state) => state.sort() });
  assertEquals(
    [[2, 1], [1, 2], [1, 1]].map((state) => table.add(Int32Array.from(state))),
    [true, false, true],
  );
  const state = new Int32Array(2);
  table.read(0, state);
  assertEquals([...state], [2, 1]);
});
