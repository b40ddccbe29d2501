import { assertEquals, assertThrows } from "@std/assert";
import { fourPhaseLayout } from "./layout.ts";

Deno.test("fourPhaseLayout() keeps its regions apart and in the buffer", () => {
  for (const packetCount of [1, 33, 4096]) {
    const layout = fourPhaseLayout({ packetCount, laneCount: 2 });
    const { clientOutboxWord, clientLockWord, serverOutboxWord, serverLockWord } = layout;
    const starts = [clientOutboxWord, clientLockWord, serverOutboxWord, serverLockWord];
    const ends = [...starts.slice(1), layout.controlWord];
    starts.forEach((start, region) => {
      assertEquals(start % 32, 0, "regions begin on lines of their own");
      assertEquals(ends[region]! - start >= packetCount, true);
    });
    assertEquals(layout.totalBytes / 4 - layout.packetsWord, packetCount * 32);
  }
});

Deno.test("fourPhaseLayout() rejects an invalid count", () => {
  for (const packetCount of [0, 1.5, 16385, NaN]) {
    assertThrows(() => fourPhaseLayout({ packetCount, laneCount: 1 }), RangeError, "packetCount");
  }
  assertThrows(() => fourPhaseLayout({ packetCount: 1, laneCount: 65 }), RangeError, "laneCount");
});
