import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { medianInterval } from "./interval.ts";
import { inverse, pairedRatios, quotient, scaled } from "./ratio.ts";

const anyLatencies = fc.array(fc.double({ min: 1e-9, max: 1e-3, noNaN: true }), {
  minLength: 6,
  maxLength: 60,
});

Deno.test("pairedRatios() does not see what happens to both of a pair", () => {
  const anyFactor = fc.double({ min: 0.01, max: 100, noNaN: true });
  fc.assert(fc.property(anyLatencies, anyFactor, (floor, factor) => {
    const scaledFloor = floor.map((seconds) => seconds * factor);
    const { lo, hi } = medianInterval(pairedRatios(scaledFloor, floor));
    assertAlmostEquals(lo / factor, 1, 1e-9);
    assertAlmostEquals(hi / factor, 1, 1e-9);
  }));
});

Deno.test("pairedRatios() rejects samples that do not pair", () => {
  assertThrows(() => pairedRatios([1, 2], [1]), RangeError, "there are 2 and 1");
});

Deno.test("quotient() is as wide as both intervals allow", () => {
  fc.assert(fc.property(anyLatencies, anyLatencies, (left, right) => {
    const [top, bottom] = [medianInterval(left), medianInterval(right)];
    const { center, lo, hi, confidence } = quotient(top, bottom);
    assert(lo <= center && center <= hi);
    assertAlmostEquals(lo * bottom.hi / top.lo, 1, 1e-9);
    assertAlmostEquals(confidence, top.confidence * bottom.confidence);
  }));
});

Deno.test("inverse() turns the interval round, and back", () => {
  fc.assert(fc.property(anyLatencies, (samples) => {
    const interval = medianInterval(samples);
    const turned = inverse(interval);
    assert(turned.lo <= turned.center && turned.center <= turned.hi);
    assertAlmostEquals(inverse(turned).hi / interval.hi, 1, 1e-9);
    assertEquals(turned.confidence, interval.confidence);
  }));
});

Deno.test("scaled() moves all bounds, and nothing else", () => {
  const interval = medianInterval([1, 2, 3, 4, 5, 6]);
  const { center, lo, hi, ...rest } = scaled(interval, 10);
  assertEquals([center, lo, hi], [35, 10, 60]);
  assertEquals(rest, { confidence: interval.confidence, warnings: interval.warnings });
});
