import { assertEquals } from "@std/assert";
import { addAll, failing, joined, noEnds, sizeOf, WAYS } from "./toy_ends.ts";

Deno.test("the ends of toy statements are joined way by way", () => {
  const ends = joined([failing(new Set(["l--"])), failing(new Set(["m--"])), noEnds()]);
  assertEquals([...ends.failed], ["l--", "m--"]);
  assertEquals(WAYS.map((way) => ends[way].size), [0, 0, 0, 0, 0, 2]);
  addAll(ends.next, ends.failed);
  assertEquals(sizeOf(ends), 4);
});
