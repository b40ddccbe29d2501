import { assertEquals } from "@std/assert";
import {
  type DispatchNumbers,
  IDLE_REPORT,
  nextNumbers,
  NO_DISPATCH,
  readReport,
} from "./dispatch_report.ts";
import { ErrorWord } from "../wgsl/kernel_error.ts";
import { REPORT_WORDS, ReportWord } from "../wgsl/layout_constants.ts";

function one(number: number): DispatchNumbers {
  return { first: number, last: number, isWrapped: false };
}

Deno.test("readReport() takes a flag of this epoch only", () => {
  const words = new Int32Array(REPORT_WORDS);
  words[ReportWord.suspended] = 7;
  words[ReportWord.starved] = 6;
  assertEquals(readReport(words, one(7)), { ...IDLE_REPORT, suspended: true });
});

Deno.test("readReport() tells the highest port that was sent", () => {
  const words = new Int32Array(REPORT_WORDS);
  words[ReportWord.sentBelow] = 3;
  assertEquals(readReport(words, one(3)).sentBelow, 1);
  words[ReportWord.sentBelow + 5] = 3;
  words[ReportWord.sentBelow + 9] = 2;
  assertEquals(readReport(words, one(3)).sentBelow, 32);
  assertEquals(readReport(words, { ...one(3), first: 2 }).sentBelow, 512);
  const flagCount = 15; // of at most 16384 ports
  words.fill(3).fill(0, ReportWord.sentBelow, ReportWord.sentBelow + flagCount);
  assertEquals(readReport(words, one(3)).sentBelow, 0, "the words around the flags are none");
});

Deno.test("readReport() tells an error of any epoch", () => {
  const words = new Int32Array(REPORT_WORDS);
  assertEquals(readReport(words, one(1)).error, undefined);
  words[ReportWord.error] = (3 << ErrorWord.codeShift) | 5;
  assertEquals(readReport(words, one(1)).error, { code: 3, waveIndex: 5, step: undefined });
});

Deno.test("readReport() tells the first wave that has not finished, of the last dispatch", () => {
  const words = new Int32Array(REPORT_WORDS);
  words[ReportWord.unfinished] = (0xfff7 << 16) | (0xffff - 40_000);
  assertEquals(readReport(words, one(0x1fff7)).firstUnfinished, 40_000);
  assertEquals(readReport(words, one(0x1fff8)).firstUnfinished, undefined);
});

Deno.test("nextNumbers() keeps dispatches together, and counts on where low halves begin again", () => {
  assertEquals(nextNumbers(NO_DISPATCH, 2), { first: 1, last: 2, isWrapped: false });
  const end = { ...NO_DISPATCH, last: 0xfffe };
  assertEquals(nextNumbers(end, 1), { first: 0xffff, last: 0xffff, isWrapped: false });
  assertEquals(nextNumbers(end, 2), { first: 0x10001, last: 0x10002, isWrapped: true });
});
