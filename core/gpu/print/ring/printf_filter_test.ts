import { assertEquals, assertThrows } from "@std/assert";
import { filterWords, type PrintfFilter } from "./printf_filter.ts";

Deno.test("filterWords() has 0 for what is not asked for, and one more than an index", () => {
  const cases: readonly (readonly [PrintfFilter, readonly number[]])[] = [
    [{}, [0, 0, 0, 0]],
    [{ first: 3, per: "run" }, [3, 0, 0, 0]],
    [{ lane: 0, workgroup: 0, pixel: [0, 0] }, [0, 1, 1, 1]],
    [{ lane: 2047, workgroup: 0xfffffffe }, [0, 2048, 0xffffffff, 0]],
    [{ pixel: [3, 2] }, [0, 0, 0, 0x20004]],
  ];
  for (const [filter, words] of cases) assertEquals([...filterWords(filter)], words);
});

Deno.test("filterWords() rejects what is no filter, and names it", () => {
  const cases = [
    [{ first: 0 }, RangeError, "first must be an integer from 1 to 4294967295: current value is 0"],
    [{ lane: -1 }, RangeError, "lane must be an integer from 0 to 2047: current value is -1"],
    [{ workgroup: 1.5 }, RangeError, "current value is 1.5"],
    [{ pixel: [1] }, TypeError, "pixel must be [x, y]: current value is 1"],
    [{ pixel: [NaN, 1] }, RangeError, "pixel x must be an integer"],
    [{ per: "second" }, TypeError, "per must be one of frame, run: current value is second"],
    ["filter", TypeError, "there is no option filter: there are"],
    [{ lanes: 1 }, TypeError, "there is no option lanes: did you mean lane"],
  ] as const;
  for (const [filter, type, message] of cases) {
    assertThrows(() => filterWords(filter as unknown as PrintfFilter), type, message);
  }
});
