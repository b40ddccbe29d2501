import { assertEquals, assertThrows } from "@std/assert";
import { ErrorWord, KernelError, KernelErrorCode } from "../wgsl/kernel_error.ts";
import { readLiveReport } from "./live_report.ts";

Deno.test("readLiveReport() says that calls were answered", () => {
  const { detail, ...report } = readLiveReport(Int32Array.of(7, 0, 2, 3, 9, 0, 0, 0), 2);
  const counts = { callCount: 7, lostCount: 0, retryCount: 3, cutOffCount: 0 };
  assertEquals(report, { ...counts, madeProgress: true });
  assertEquals(detail, "7 calls were answered");
});

Deno.test("readLiveReport() says that there was no progress", () => {
  const { madeProgress, detail } = readLiveReport(Int32Array.of(7, 2, 1, 0, 9, 0, 0, 0), 1);
  assertEquals(madeProgress, false);
  assertEquals(detail, "No progress on this adapter: 2 calls were given up, 7 calls were answered");
});

Deno.test("readLiveReport() counts waves that were cut off, and those that never ended", () => {
  const { madeProgress, cutOffCount, detail } = readLiveReport(
    Int32Array.of(7, 0, 3, 0, 9, 1, 0, 0),
    5,
  );
  assertEquals([madeProgress, cutOffCount], [false, 3]);
  assertEquals(
    detail,
    "No progress on this adapter: 3 waves were cut off in the middle of a loop, 7 calls were answered",
  );
});

Deno.test("readLiveReport() throws where a wave broke a rule", () => {
  const error = KernelErrorCode.noSuchStep << ErrorWord.codeShift | 1 << ErrorWord.stepShift | 3;
  assertThrows(
    () => readLiveReport(Int32Array.of(7, 0, 3, 0, 9, 0, error, 5 << 16 | 3), 5, ["after step_0"]),
    KernelError,
    "Cannot finish wave 3 after step_0 as it went to step 5, which is not there: there are 1, and",
  );
});
