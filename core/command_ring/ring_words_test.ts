import { assertEquals } from "@std/assert";
import {
  CellState,
  cellState,
  claimedCells,
  currentBuffer,
  readyCells,
  readyWord,
  swappedTop,
} from "./ring_words.ts";

Deno.test("claim word: each swap empties the top and takes the other buffer, for ever", () => {
  let top = 0;
  for (let swap = 0; swap < 3000; swap++) {
    assertEquals([claimedCells(top), currentBuffer(top)], [0, swap % 2]);
    assertEquals([claimedCells(top + 777), currentBuffer(top + 777)], [777, swap % 2]);
    top = swappedTop(top + 777);
    assertEquals(top, top | 0);
  }
});

Deno.test("cell state: a ready word says how many cells, and no state looks like another", () => {
  for (const count of [1, 7, 1024]) {
    assertEquals([cellState(readyWord(count)), readyCells(readyWord(count))], [
      CellState.ready,
      count,
    ]);
  }
  for (const state of Object.values(CellState)) assertEquals(cellState(state), state);
});
