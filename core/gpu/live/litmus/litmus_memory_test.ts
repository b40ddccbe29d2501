import { assert, assertEquals } from "@std/assert";
import {
  INSTANCES,
  LitmusWord,
  placeOf,
  RESULTS_WORD,
  scrambled,
  STRESS_LINES,
  STRESS_WORD,
  STRIDES,
  tarryTurns,
  VECTOR_LANES,
  X_PRIME,
  X_WORD,
  Y_PRIME,
  Y_WORD,
} from "./litmus_memory.ts";

Deno.test("placeOf() gives each instance a place of its own, and x and y other neighbours", () => {
  const instances = Array.from({ length: INSTANCES }, (_, instance) => instance);
  for (const prime of [X_PRIME, Y_PRIME]) {
    assertEquals(new Set(instances.map((one) => placeOf(one, prime))).size, INSTANCES);
  }
  const alike = instances.filter((one) => placeOf(one, X_PRIME) === placeOf(one, Y_PRIME));
  assert(alike.length <= 2, `${alike.length} instances have x and y at one place`);
});

Deno.test("the regions of a round do not overlap, whatever the stride", () => {
  const controls = Object.values(LitmusWord);
  assertEquals(new Set(controls).size, controls.length);
  assert(Math.max(...controls) < STRESS_WORD);
  assertEquals(X_WORD, STRESS_WORD + STRESS_LINES * 16);
  const widest = Math.max(...STRIDES, VECTOR_LANES) * INSTANCES;
  assert(X_WORD + widest <= Y_WORD && Y_WORD + widest <= RESULTS_WORD);
});

Deno.test("tarryTurns() are 0 to 127, and short ones come oftener", () => {
  const turns = Array.from({ length: 4096 }, (_, at) => tarryTurns(scrambled(at + 1)));
  assert(turns.every((one) => one >= 0 && one < 128));
  const short = turns.filter((one) => one < 16).length;
  assert(short > 2048 && short < 4000, `${short} of 4096 are short`);
  assert(turns.some((one) => one > 100));
});
