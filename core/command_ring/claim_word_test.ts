import { assertEquals } from "@std/assert";
import { claimedCells, currentBuffer, swappedTop } from "./claim_word.ts";

Deno.test("claim word: each swap empties the top and takes the other buffer, for ever", () => {
  let top = 0;
  for (let swap = 0; swap < 3000; swap++) {
    assertEquals([claimedCells(top), currentBuffer(top)], [0, swap % 2]);
    assertEquals([claimedCells(top + 777), currentBuffer(top + 777)], [777, swap % 2]);
    top = swappedTop(top + 777);
    assertEquals(top, top | 0);
  }
});
