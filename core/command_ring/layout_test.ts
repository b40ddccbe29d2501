import { assertEquals, assertThrows } from "@std/assert";
import { NAME_COUNT_MAX, NAME_WORDS, ringLayout } from "./layout.ts";

Deno.test("ringLayout() gives each cell 64 bytes and each region its own lines", () => {
  for (const [slotCount, cellCount] of [[1, 1], [33, 5], [4096, 16384]] as const) {
    const layout = ringLayout({ slotCount, cellCount });
    assertEquals(layout.slotStateWord - layout.cellsWord >= 2 * cellCount * 16, true);
    assertEquals(layout.cellsWord - layout.cellStateWord >= 2 * cellCount, true);
    assertEquals(layout.cellStateWord - layout.namesWord >= NAME_COUNT_MAX * NAME_WORDS, true);
    assertEquals(layout.controlWord - layout.slotStateWord >= slotCount, true);
    const starts = [layout.topWord, layout.nameCountWord, layout.namesWord, layout.cellsWord];
    assertEquals(starts.map((word) => word % 32), [0, 0, 0, 0]);
  }
});

Deno.test("ringLayout() rejects an invalid count", () => {
  assertThrows(() => ringLayout({ slotCount: 0, cellCount: 1 }), RangeError, "slotCount");
  assertThrows(() => ringLayout({ slotCount: 1, cellCount: 16385 }), RangeError, "cellCount");
});
