import { assertEquals, assertNotEquals } from "@std/assert";
import { mutantId } from "./edits/mutation.ts";
import { sample } from "./sample.ts";
import { findMutants } from "./edits/sites.ts";

const large = findMutants({ path: "core/large.ts", text: "a(1, 2, 3, 4, 5, 6, 7, 8);".repeat(5) });
const small = findMutants({ path: "core/small.ts", text: "a(b < c);" });
const all = [...large, ...small];

function ids(seed: number, count: number): string[] {
  return sample(all, { seed, count }).map(mutantId);
}

Deno.test("sample() takes from each file and operator before it takes twice from one", () => {
  const pairs = sample(all, { seed: 1, count: 6 }).map(({ file, operator }) =>
    `${file} ${operator}`
  );
  assertEquals(pairs.length, 6);
  assertEquals(new Set(pairs), new Set(all.map(({ file, operator }) => `${file} ${operator}`)));
});

Deno.test("sample() takes the same for the same seed, and more of it for a larger count", () => {
  assertEquals(ids(1, 20).slice(0, 12), ids(1, 12));
  assertNotEquals(ids(1, 12), ids(2, 12));
  assertEquals(new Set(ids(1, Infinity)), new Set(all.map(mutantId)));
});
