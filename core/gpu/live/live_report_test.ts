import { assertEquals } from "@std/assert";
import { readLiveReport } from "./live_report.ts";

Deno.test("readLiveReport() says that calls were answered", () => {
  const { detail, ...report } = readLiveReport(Int32Array.of(7, 0, 2, 3, 9, 0), 2);
  const counts = { callCount: 7, lostCount: 0, retryCount: 3, cutOffCount: 0 };
  assertEquals(report, { ...counts, madeProgress: true });
  assertEquals(detail, "7 calls were answered");
});

Deno.test("readLiveReport() says that there was no progress", () => {
  const { madeProgress, detail } = readLiveReport(Int32Array.of(7, 2, 1, 0, 9, 0), 1);
  assertEquals(madeProgress, false);
  assertEquals(detail, "No progress on this adapter: 2 calls were given up, 7 calls were answered");
});

Deno.test("readLiveReport() counts waves that were cut off, and those that never ended", () => {
  const { madeProgress, cutOffCount, detail } = readLiveReport(
    Int32Array.of(7, 0, 3, 0, 9, 1),
    5,
  );
  assertEquals([madeProgress, cutOffCount], [false, 3]);
  assertEquals(
    detail,
    "No progress on this adapter: 3 waves were cut off in the middle of a loop, 7 calls were answered",
  );
});
