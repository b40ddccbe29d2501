import { assertEquals } from "@std/assert";
import { readLiveReport } from "./live_report.ts";

Deno.test("readLiveReport() says that calls were answered", () => {
  const { detail, ...report } = readLiveReport(Int32Array.of(7, 0, 1, 3));
  assertEquals(report, { callCount: 7, lostCount: 0, retryCount: 3, madeProgress: true });
  assertEquals(detail, "7 calls were answered");
});

Deno.test("readLiveReport() says that there was no progress", () => {
  const { madeProgress, detail } = readLiveReport(Int32Array.of(7, 2, 1, 0));
  assertEquals(madeProgress, false);
  assertEquals(detail, "No progress on this adapter: 2 calls were given up, 7 were answered");
});
