import { assertEquals, assertThrows } from "@std/assert";
import { bitmapWords, gwhtLayout } from "./layout.ts";

Deno.test("gwhtLayout() keeps the bitmaps of both sides on lines of their own", () => {
  assertEquals([1, 32, 33, 2048].map(bitmapWords), [1, 1, 2, 64]);
  for (const slotCount of [1, 33, 2048]) {
    const layout = gwhtLayout({ slotCount });
    const { gpuWord, waveWord, leftWord, hostWord, threadWord, answerWord } = layout;
    const starts = [gpuWord, waveWord, leftWord, hostWord, threadWord, answerWord];
    starts.slice(1).forEach((start, region) => {
      assertEquals(start - starts[region]! >= Math.max(32, bitmapWords(slotCount)), true);
    });
    assertEquals(layout.totalBytes - layout.packetsWord * 4, slotCount * 4096);
  }
  assertThrows(() => gwhtLayout({ slotCount: 0 }), RangeError, "slotCount");
});
