import { assertEquals, assertThrows } from "@std/assert";
import { wavesOf } from "./program_grid.ts";

Deno.test("wavesOf() has a lane for each thread of the grid, up to 32 a wave", () => {
  const of = (threadCount: number, blockCount: number) => wavesOf({ threadCount, blockCount });
  assertEquals(of(1, 1), { total: 1, laneCount: 1, waveCount: 1 });
  assertEquals(of(7, 4), { total: 28, laneCount: 28, waveCount: 1 });
  assertEquals(of(11, 3), { total: 33, laneCount: 32, waveCount: 2 });
  assertEquals(of(32, 65_535), { total: 2_097_120, laneCount: 32, waveCount: 65_535 });
});

Deno.test("wavesOf() refuses what is no grid", () => {
  for (const [threadCount, blockCount] of [[0, 1], [1, 0], [1.5, 2], [1, 2_097_121], [NaN, 1]]) {
    const grid = { threadCount: threadCount!, blockCount: blockCount! };
    assertThrows(() => wavesOf(grid), RangeError, "at most 2097120 threads in all");
  }
});
