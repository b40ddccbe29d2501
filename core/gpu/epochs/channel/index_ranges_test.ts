import { assertEquals } from "@std/assert";
import { IndexRanges } from "./index_ranges.ts";

Deno.test("IndexRanges joins neighbours and keeps gaps", () => {
  const ranges = new IndexRanges();
  for (const index of [0, 1, 2, 5, 7, 8]) ranges.add(index);
  assertEquals(ranges.all, [{ start: 0, end: 3 }, { start: 5, end: 6 }, { start: 7, end: 9 }]);
});

Deno.test("IndexRanges.join() covers all of them, and nothing when there is none", () => {
  const ranges = new IndexRanges();
  ranges.join();
  assertEquals(ranges.all, []);
  for (const index of [3, 9]) ranges.add(index);
  ranges.join();
  assertEquals(ranges.all, [{ start: 3, end: 10 }]);
  ranges.clear();
  assertEquals(ranges.all, []);
  ranges.add(10);
  assertEquals(ranges.all, [{ start: 10, end: 11 }]);
});
