import { assertEquals } from "@std/assert";
import { hasKeys, isDense, Shapes, wayText } from "./shapes.ts";

Deno.test("Shapes finds the last few of the same count, by all keys in order", () => {
  const shapes = new Shapes();
  const all = ["ab", "ba", "ac", "bc", "cb"].map((keys) => shapes.add([...keys]));
  assertEquals(all.map(({ number }) => number), [0, 1, 2, 3, 4]);
  assertEquals(shapes.find(["a", "b"]), undefined); // long ago
  assertEquals(shapes.find(["b", "a"]), all[1]);
  assertEquals(shapes.find(["c", "b"]), all[4]);
  assertEquals(shapes.find(["c"]), undefined);
  assertEquals([shapes.reset(), shapes.reset(), shapes.find(["c", "b"])], [true, false, undefined]);
  assertEquals(shapes.add([]).number, 0);
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
