import { assertEquals } from "@std/assert";
import { SharedWords } from "../memory/words.ts";
import { SlotBits } from "./slot_bits.ts";

Deno.test("SlotBits: each slot has a bit of its own, and a flip is told to one", () => {
  const words = new SharedWords(new SharedArrayBuffer(16));
  const bits = new SlotBits(words, 1);
  for (const index of [0, 31, 32, 63]) {
    assertEquals([bits.has(index), bits.tryClear(index)], [false, false]);
    assertEquals([bits.trySet(index), bits.trySet(index), bits.has(index)], [true, false, true]);
  }
  assertEquals(Array.from(words.plain), [0, -0x7fffffff, -0x7fffffff, 0]);
  assertEquals([bits.tryClear(31), bits.tryClear(31), bits.has(0)], [true, false, true]);
});
