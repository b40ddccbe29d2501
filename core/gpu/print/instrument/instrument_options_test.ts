import { assertThrows } from "@std/assert";
import { checkedOptions, type InstrumentOptions } from "./instrument_options.ts";

Deno.test("checkedOptions() rejects what is no option", () => {
  const cases = [
    [{ bytes: 5 }, RangeError, "bytes must be a multiple of 4 from 16 to 1024: current value is 5"],
    [{ bytes: 64, bytesMax: 2048 }, RangeError, "bytesMax must be"],
    [{ bytes: 64, linesMax: -1 }, RangeError, "linesMax must be a number from 0"],
    [{ bytes: 64, write: 1 }, TypeError, "write must be a function: current value is 1"],
    [{ bytes: 64, bytesMax: 32 }, RangeError, "bytesMax must be a multiple of 4 from 64"],
    [
      { bytes: 64, linesMax: "3" },
      RangeError,
      "linesMax must be a number from 0: current value is 3",
    ],
    [null, TypeError, "there is no option null: there are linesMax"],
    [{ line: 1 }, TypeError, "there is no option line: did you mean linesMax"],
    [{ filter: { lane: 0.5 } }, RangeError, "lane must be an integer"],
  ] as const;
  for (const [options, type, message] of cases) {
    assertThrows(
      () => checkedOptions(options as unknown as InstrumentOptions, 1024),
      type,
      message,
    );
  }
});
