import { assertEquals, assertGreater, assertGreaterOrEqual } from "@std/assert";
import { clockSeconds, clockStepSeconds } from "./clock.ts";

Deno.test("clockSeconds() never goes back", () => {
  const readings = Array.from({ length: 1000 }, clockSeconds);
  for (const [index, reading] of readings.slice(1).entries()) {
    assertGreaterOrEqual(reading, readings[index]!);
  }
});

Deno.test("clockStepSeconds() is the smallest step of the clock, whole or not", () => {
  let reads = 0;
  assertEquals(clockStepSeconds(() => Math.floor(reads++ / 5) * 0.25), 0.25);
  assertGreater(clockStepSeconds(clockSeconds), 0);
});
