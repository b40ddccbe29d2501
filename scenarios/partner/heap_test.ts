import { assertGreaterOrEqual, assertLess } from "@std/assert";
import { allocatedBytes } from "./heap.ts";

const OBJECT_COUNT = 1_000_000;
/** An object of one field takes at least a map, two tables and the field. */
const OBJECT_BYTES_MIN = 16;

Deno.test("allocatedBytes() counts what was allocated, even when the collector took it back", () => {
  const before = allocatedBytes();
  let last = { index: 0 };
  for (let index = 0; index < OBJECT_COUNT; index++) last = { index: last.index + 1 };
  const grown = allocatedBytes() - before;
  assertGreaterOrEqual(grown, OBJECT_COUNT * OBJECT_BYTES_MIN);
});

Deno.test("allocatedBytes() stands nearly still while nothing is allocated", () => {
  growthOfIdleLoop(); // compiles it, which allocates
  assertLess(growthOfIdleLoop(), OBJECT_COUNT);
});

function growthOfIdleLoop(): number {
  const before = allocatedBytes();
  let bits = 0;
  for (let index = 0; index < OBJECT_COUNT; index++) bits ^= index;
  return allocatedBytes() - before + (bits & 0);
}
