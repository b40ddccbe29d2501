import { assertEquals, assertNotEquals } from "@std/assert";
import { mutantId } from "./edits/mutation.ts";
import { sample } from "./sample.ts";
import { findMutants } from "./edits/sites.ts";

const large = findMutants({ path: "core/large.ts", text: "a(1, 2, 3, b < 5, 6, 7);".repeat(5) });
const small = findMutants({ path: "core/small.ts", text: "a(b < c);" });
const all = [...large, ...small];

function ids(seed: number, perFile: number): string[] {
  return sample(all, { seed, perFile }).map(mutantId);
}

Deno.test("sample() takes as many of each file, one of each before the second of any", () => {
  const taken = sample(all, { seed: 1, perFile: 2 });
  assertEquals(taken.length, 4);
  assertEquals(new Set(taken.slice(0, 2).map(({ file }) => file)).size, 2);
  assertEquals(new Set(taken.slice(2).map(({ file }) => file)).size, 2);
});

Deno.test("sample() takes each kind of change of a file before it takes one twice", () => {
  const kinds = new Set(large.map(({ operator }) => operator));
  const taken = sample(large, { seed: 1, perFile: kinds.size });
  assertEquals(new Set(taken.map(({ operator }) => operator)), kinds);
});

Deno.test("sample() takes the same for the same seed, and more of it for a larger count", () => {
  assertEquals(new Set(ids(1, 5)).isSupersetOf(new Set(ids(1, 3))), true);
  assertEquals(ids(1, 3), ids(1, 3));
  assertNotEquals(ids(1, 3), ids(2, 3));
  assertEquals(new Set(ids(1, Infinity)), new Set(all.map(mutantId)));
});
