import { assertAlmostEquals, assertEquals, assertNotEquals } from "@std/assert";
import fc from "fast-check";
import { seededRandom, shuffled } from "./shuffle.ts";

Deno.test("shuffled() keeps every value, and its argument as it was", () => {
  fc.assert(fc.property(fc.array(fc.integer()), fc.nat(), (values, seed) => {
    const before = [...values];
    assertEquals(shuffled(values, seed).sort(), [...values].sort());
    assertEquals(values, before);
  }));
});

Deno.test("shuffled() depends on the seed alone", () => {
  const values = Array.from({ length: 50 }, (_, index) => index);
  assertEquals(shuffled(values, 5), shuffled(values, 5));
  assertNotEquals(shuffled(values, 5), shuffled(values, 6));
});

Deno.test("shuffled() finds each of the six orders of three equally often", () => {
  const counts = new Map<string, number>();
  for (let seed = 0; seed < 6000; seed++) {
    const order = shuffled(["a", "b", "c"], seed).join("");
    counts.set(order, (counts.get(order) ?? 0) + 1);
  }
  assertEquals(counts.size, 6);
  for (const count of counts.values()) assertAlmostEquals(count, 1000, 150);
});

Deno.test("seededRandom() stays from 0 to below 1", () => {
  const random = seededRandom(0xffffffff);
  for (let draw = 0; draw < 10_000; draw++) {
    const value = random();
    assertEquals(value >= 0 && value < 1, true);
  }
});
