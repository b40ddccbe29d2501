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

Deno.test("readReport() tells a fault with its wave", () => {
  const words = new Int32Array(REPORT_WORDS);
  words[ReportWord.faulty] = 1;
  words[ReportWord.faultCode] = 3;
  words[ReportWord.faultWave] = -1;
  const { faultCode, faultWave } = readReport(words, 1);
  assertEquals({ faultCode, faultWave }, { faultCode: 3, faultWave: 2 ** 32 - 1 });
});
