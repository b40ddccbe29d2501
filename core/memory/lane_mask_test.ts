import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import {
  fullMask,
  hasLane,
  laneAfter,
  type LaneMask,
  laneMask,
  lanesOf,
  maskProblem,
  maskText,
} from "./lane_mask.ts";

const laneSets = fc.uniqueArray(fc.integer({ min: 0, max: 63 }));

Deno.test("laneMask() and lanesOf() are each other's inverse", () => {
  fc.assert(fc.property(laneSets, (lanes) => {
    const mask = laneMask(...lanes);
    assertEquals(lanesOf(mask), lanes.toSorted((left, right) => left - right));
    for (let lane = 0; lane < 64; lane++) assertEquals(hasLane(mask, lane), lanes.includes(lane));
  }));
});

Deno.test("laneAfter() visits the lanes of a mask in ascending order", () => {
  fc.assert(fc.property(laneSets, (lanes) => {
    const { lo, hi } = laneMask(...lanes);
    const visited: number[] = [];
    for (let lane = laneAfter(lo, hi, -1); lane < 64; lane = laneAfter(lo, hi, lane)) {
      visited.push(lane);
    }
    assertEquals(visited, lanesOf({ lo, hi }));
  }));
});

Deno.test("fullMask() has as many lanes as the channel", () => {
  for (let laneCount = 0; laneCount <= 64; laneCount++) {
    const mask = fullMask(laneCount);
    assertEquals(lanesOf(mask), Array.from({ length: laneCount }, (_, lane) => lane));
    assertEquals([mask.lo >= 0, mask.hi >= 0], [true, true]);
  }
});

Deno.test("laneMask() rejects anything that is not a lane", () => {
  for (const lane of [-1, 64, 0.5, NaN]) {
    assertThrows(() => laneMask(lane), RangeError, String(lane));
  }
});

Deno.test("hasLane() is false for anything that is not a lane", () => {
  for (const lane of [64, 65, -1, 0.5, NaN]) assertEquals(hasLane(fullMask(64), lane), false);
  for (const lane of [0, 31, 32, 63]) assertEquals(hasLane(fullMask(64), lane), true);
});

Deno.test("maskProblem() names what is wrong with a mask", () => {
  assertEquals(maskProblem({ lo: 0, hi: 0 }, 64), "it names no lane");
  assertEquals(maskProblem(laneMask(0, 8), 8), "it names lanes beyond the channel's 8");
  assertEquals(maskProblem(laneMask(32), 32), "it names lanes beyond the channel's 32");
  assertEquals(maskProblem(laneMask(7), 8), undefined);
  assertEquals(maskProblem(laneMask(63), 64), undefined);
});

Deno.test("lane masks take no count beyond 64, no fraction and no word of more than 32 bits", () => {
  for (const count of [65, -1, 1.5, NaN]) {
    assertThrows(() => fullMask(count), RangeError, `current value is ${count}`);
  }
  for (const lo of [1.5, NaN, 2 ** 32, "1", 1n, undefined] as number[]) {
    assertEquals(maskProblem({ lo, hi: 0 }, 64), "its words are not 32-bit integers");
  }
  const none = null as unknown as LaneMask;
  assertEquals(maskProblem(none, 64), "its words are not 32-bit integers");
  assertEquals(maskText(none), "{ lo: undefined, hi: undefined }");
  for (const lo of [-1, 0xffffffff]) assertEquals(maskProblem({ lo, hi: 0 }, 64), undefined);
});

Deno.test("maskText() shows both words as messages do", () => {
  assertEquals(maskText({ lo: 255, hi: 0x8000_0000 }), "{ lo: 0xff, hi: 0x80000000 }");
});
