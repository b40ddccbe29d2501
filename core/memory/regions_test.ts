import { assertEquals, assertThrows } from "@std/assert";
import { checkCount, REGION_BYTES, Regions } from "./regions.ts";

Deno.test("Regions.take() gives each region lines of its own, whatever its size", () => {
  const regions = new Regions();
  assertEquals([regions.take(1), regions.take(32), regions.take(33), regions.take(1)], [
    0,
    32,
    64,
    128,
  ]);
  assertEquals(regions.nextByte, 5 * REGION_BYTES);
});

Deno.test("checkCount() takes integers from 1 to the limit", () => {
  checkCount("portCount", 1, 4);
  checkCount("portCount", 4, 4);
  for (const count of [0, 5, 1.5, NaN]) {
    assertThrows(() => checkCount("portCount", count, 4), RangeError, `current value is ${count}`);
  }
});
