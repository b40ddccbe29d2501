import { assertEquals } from "@std/assert";
import { CellState, cellState, readyCells, readyWord } from "./cell_state.ts";

Deno.test("cell state: a ready word says how many cells, and no state looks like another", () => {
  for (const count of [1, 7, 1024]) {
    assertEquals([cellState(readyWord(count)), readyCells(readyWord(count))], [
      CellState.ready,
      count,
    ]);
  }
  for (const state of Object.values(CellState)) assertEquals(cellState(state), state);
});
