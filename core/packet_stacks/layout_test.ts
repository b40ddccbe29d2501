import { assertEquals, assertThrows } from "@std/assert";
import { stacksLayout } from "./layout.ts";

Deno.test("stacksLayout() keeps the two tops on lines of their own, and its regions in order", () => {
  for (const packetCount of [1, 33, 16384]) {
    const layout = stacksLayout({ packetCount, laneCount: 1 });
    assertEquals(layout.readyTopWord - layout.freeTopWord, 32);
    const starts = [layout.nextWord, layout.tagWord, layout.phaseWord, layout.controlWord];
    starts.slice(1).forEach((start, region) => {
      assertEquals(start - starts[region]! >= packetCount, true);
    });
    assertEquals(layout.totalBytes / 4 - layout.packetsWord >= packetCount * 16, true);
  }
});

Deno.test("stacksLayout() rejects an invalid count", () => {
  assertThrows(() => stacksLayout({ packetCount: 0, laneCount: 1 }), RangeError, "packetCount");
  assertThrows(() => stacksLayout({ packetCount: 1, laneCount: 0 }), RangeError, "laneCount");
});
