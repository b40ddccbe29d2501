import { assertEquals } from "@std/assert";
import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";
import { summarize } from "../statistics/summary.ts";
import { byteRateText, callsText } from "./calls_text.ts";

const singleCalls = {
  callCount: 100_000,
  clockSeconds: 80e-9,
  p50Seconds: 300e-9,
  p90Seconds: 350e-9,
  p99Seconds: 1.2e-6,
  p999Seconds: 40e-6,
  maxSeconds: 0.012,
  histogram: "",
};

Deno.test("callsText() shows the percentiles of each point, and whose time is in them", () => {
  const rows = summarize([
    { ...sampleRecord, point: { size: 9 }, pointId: "size=9", singleCalls },
    { ...sampleRecord, point: { size: 1 }, pointId: "size=1", singleCalls, bytesPerCall: 4096 },
    { ...sampleRecord, scenario: "other" },
  ]);
  assertEquals(callsText(rows).split("\n"), [
    "round_trip, up to 80.0 ns of each time is the clock's:",
    "  single calls     p50     p90      p99    p99.9  longest   calls",
    "  size=1        300 ns  350 ns  1.20 µs  40.0 µs  12.0 ms  100000",
    "  size=9        300 ns  350 ns  1.20 µs  40.0 µs  12.0 ms  100000",
    "",
    "round_trip, payload:",
    "  size=1: 20.4 GB/s",
  ]);
  assertEquals(callsText(summarize([sampleRecord])), "");
});

Deno.test("byteRateText() chooses the unit", () => {
  const texts = [0.5, 999, 1000, 2.5e6, 3e12].map(byteRateText);
  assertEquals(texts, ["0.500 B/s", "999 B/s", "1.00 kB/s", "2.50 MB/s", "3000 GB/s"]);
});
