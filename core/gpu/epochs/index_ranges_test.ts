import { assertEquals } from "@std/assert";
import { Stretches } from "./index_ranges.ts";

Deno.test("Stretches joins neighbours and keeps gaps", () => {
  const stretches = new Stretches();
  for (const index of [0, 1, 2, 5, 7, 8]) stretches.add(index);
  assertEquals(stretches.all, [{ start: 0, end: 3 }, { start: 5, end: 6 }, { start: 7, end: 9 }]);
});

Deno.test("Stretches.join() covers all of them, and nothing when there is none", () => {
  const stretches = new Stretches();
  stretches.join();
  assertEquals(stretches.all, []);
  for (const index of [3, 9]) stretches.add(index);
  stretches.join();
  assertEquals(stretches.all, [{ start: 3, end: 10 }]);
  stretches.clear();
  assertEquals(stretches.all, []);
});
