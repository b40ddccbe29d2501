import { assertEquals } from "@std/assert";
import { hasKeys, isDense, Shapes, wayText } from "./shapes.ts";

Deno.test("Shapes finds the last few, by all keys in order", () => {
  const shapes = new Shapes();
  const names = ["ab", "ba", "ac", "b", "cb", "abc", "bca", "cab", "d"];
  const all = names.map((keys) => shapes.add({ number: -1, keys: [...keys] }));
  assertEquals(all.map(({ number }) => number), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
  assertEquals(shapes.find(["a", "b"]), undefined); // long ago
  assertEquals(names.slice(1).map((keys) => shapes.find([...keys])), all.slice(1));
  assertEquals(shapes.find(["c"]), undefined);
});

Deno.test("Shapes knows which shapes are of the message at hand", () => {
  const shapes = new Shapes();
  const many = Array.from({ length: 100 }, (_, at) => shapes.add({ number: -1, keys: [`k${at}`] }));
  assertEquals(many.every((shape) => shapes.has(shape)), true);
  shapes.reset();
  assertEquals([shapes.has(many[0]!), shapes.find(["k0"])], [false, undefined]);
  const again = shapes.add(many[5]!);
  assertEquals([again.number, shapes.has(many[5]!), shapes.has(many[0]!)], [0, true, false]);
});

Deno.test("hasKeys() compares all keys in order", () => {
  for (const keys of [[], ["a"], ["b", "a"], ["a", "b", "c"]]) {
    assertEquals(hasKeys({ a: 1, b: 2 }, keys), false);
  }
  assertEquals([hasKeys({ a: 1, b: 2 }, ["a", "b"]), hasKeys({}, [])], [true, true]);
});

Deno.test("isDense() sees holes, and what is beside the elements", () => {
  assertEquals([[], [undefined], [1, 2]].map(isDense), [true, true, true]);
  // deno-lint-ignore no-sparse-arrays
  const wrong = [[,], [1, , 2], Object.assign([1], { more: 1 }), Object.assign([, 1], { more: 1 })];
  assertEquals(wrong.map(isDense), [false, false, false, false]);
});

Deno.test("wayText() writes steps as code does", () => {
  assertEquals(wayText(["list", 0, "1", "a b", "é", '"']), '.list[0][1]["a b"].é["\\""]');
});
