import { assertEquals } from "@std/assert";
import { IDLE_REPORT, readReport } from "./dispatch_report.ts";
import { ErrorWord } from "../wgsl/kernel_error.ts";
import { REPORT_WORDS, ReportWord } from "../wgsl/layout_constants.ts";

Deno.test("readReport() takes a flag of this epoch only", () => {
  const words = new Int32Array(REPORT_WORDS);
  words[ReportWord.suspended] = 7;
  words[ReportWord.starved] = 6;
  assertEquals(readReport(words, 7), { ...IDLE_REPORT, suspended: true });
});

Deno.test("readReport() tells the highest port that was sent", () => {
  const words = new Int32Array(REPORT_WORDS);
  words[ReportWord.sentBelow] = 3;
  assertEquals(readReport(words, 3).sentBelow, 1);
  words[ReportWord.sentBelow + 5] = 3;
  words[ReportWord.sentBelow + 9] = 2;
  assertEquals(readReport(words, 3).sentBelow, 32);
});

Deno.test("readReport() tells an error of any epoch", () => {
  const words = new Int32Array(REPORT_WORDS);
  assertEquals(readReport(words, 1).error, undefined);
  words[ReportWord.error] = (3 << ErrorWord.codeShift) | 5;
  assertEquals(readReport(words, 1).error, { code: 3, waveIndex: 5, step: undefined });
});
