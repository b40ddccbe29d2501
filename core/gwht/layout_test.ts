import { assertEquals, assertThrows } from "@std/assert";
import { gwhtLayout } from "./layout.ts";

Deno.test("gwhtLayout() keeps the bitmaps of both sides on lines of their own", () => {
  for (const [packetCount, bitmapWords] of [[1, 1], [32, 1], [33, 2], [2048, 64]] as const) {
    const layout = gwhtLayout({ packetCount, laneCount: 64 });
    const { gpuWord, waveWord, leftWord, hostWord, threadWord, controlWord } = layout;
    const starts = [gpuWord, waveWord, leftWord, hostWord, threadWord, controlWord];
    starts.slice(1).forEach((start, region) => {
      assertEquals(start - starts[region]!, Math.max(32, bitmapWords));
    });
    assertEquals(layout.totalBytes - layout.packetsWord * 4, packetCount * 4096);
  }
  assertThrows(() => gwhtLayout({ packetCount: 0, laneCount: 64 }), RangeError, "packetCount");
});
