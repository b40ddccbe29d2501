import { assertEquals } from "@std/assert";
import { IDLE_REPORT, readReport } from "./dispatch_report.ts";
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

Deno.test("readReport() tells an error with its wave, and its step where there is one", () => {
  const words = new Int32Array(REPORT_WORDS);
  words[ReportWord.failed] = 1;
  words[ReportWord.errorCode] = 3;
  words[ReportWord.errorWave] = -1;
  assertEquals(readReport(words, 1).error, { code: 3, waveIndex: 2 ** 32 - 1, step: undefined });
  words[ReportWord.errorStep] = 5;
  assertEquals(readReport(words, 1).error?.step, 4);
  assertEquals(readReport(words, 2).error, undefined);
});
