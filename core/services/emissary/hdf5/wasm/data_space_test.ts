import { assertEquals, assertThrows } from "@std/assert";
import { hsizes } from "../hdf5_api.ts";
import { DataSpace, maximumOf, numbersIn } from "./data_space.ts";

const SLAB = { start: [1, 0], stride: [3, 2], count: [2, 3], block: [2, 2] };

Deno.test("DataSpace cuts a selection into patterns of single values, and joins blocks that touch", () => {
  const space = new DataSpace([6, 6]);
  space.selectHyperslab(SLAB);
  assertEquals([space.pointCount, space.selectedCount, space.isValid], [36, 24, true]);
  assertEquals(space.offsets().slice(0, 8), [6, 7, 8, 9, 10, 11, 12, 13]);
  const pieces = space.pieces();
  // In the second dimension the blocks are one; in the first, a pattern for each row of a block.
  assertEquals(pieces.map(({ start, stride, count }) => [start, stride, count]), [
    [[1, 0], [3, 1], [2, 6]],
    [[2, 0], [3, 1], [2, 6]],
  ]);
  assertEquals(pieces[1]!.places, [6, 7, 8, 9, 10, 11, 18, 19, 20, 21, 22, 23]);
});

Deno.test("DataSpace knows what is selected of it, and what is not within", () => {
  const space = new DataSpace([5, 6]);
  space.selectHyperslab(SLAB);
  assertEquals([space.isValid, space.copy().isValid, space.selectedCount], [false, false, 24]);
  space.selectNone();
  assertEquals([space.isValid, space.selectedCount, space.offsets(), space.pieces()], [
    true,
    0,
    [],
    [],
  ]);
  space.selectAll();
  assertEquals(space.pieces().length, 1);
  assertEquals(space.offsets(), Array.from({ length: 30 }, (_, index) => index));
  assertThrows(() => space.selectHyperslab({ ...SLAB, stride: [0, 2] }), RangeError, "stride is 0");
  assertThrows(() => space.selectHyperslab({ ...SLAB, stride: [1, 2] }), RangeError, "overlap");
  const single = new DataSpace([]);
  assertEquals([single.pointCount, single.offsets(), single.pieces().length], [1, [0], 1]);
  assertThrows(() => single.selectHyperslab(SLAB), RangeError, "no dimensions");
  const none = new DataSpace([], { isNull: true });
  assertEquals([none.pointCount, none.selectedCount, none.hasDimsOf(single)], [0, 0, false]);
});

Deno.test("numbersIn() refuses what is no number here, maximumOf() knows the one without end", () => {
  assertEquals(numbersIn(hsizes(2, 3)), [2, 3]);
  assertThrows(() => numbersIn(hsizes(2n ** 53n)), RangeError, "9007199254740992");
  assertEquals([maximumOf(7), maximumOf(2 ** 64)], [7n, 2n ** 64n - 1n]);
});
