import { assertEquals, assertMatch } from "@std/assert";
import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";
import { tableText } from "../report/table.ts";
import { type PointSummary, summarize } from "../statistics/summary.ts";
import { callsText, rowsText } from "./rows_text.ts";

const rows = summarize([
  sampleRecord,
  { ...sampleRecord, scenario: "other", warnings: ['It rained, "hard"'], controlSeconds: [] },
]);

Deno.test("rowsText() writes one line a point for spreadsheets, with quotes where they must be", () => {
  const [heading, first, second, ...others] = rowsText(rows, "csv").split("\n");
  assertEquals(heading!.split(",").length, 22);
  assertMatch(first!, /^round_trip,portCount=1;laneCount=1;waiting=spin\+spin,6,1,2\.01e-7,/);
  assertMatch(second!, /^other,.*,"[^,]*It rained, ""hard""[^"]*"$/);
  assertEquals(others, []);
});

Deno.test("rowsText() writes a Markdown table under each question", () => {
  const tables = rowsText(rows, "markdown").split("\n\n**");
  assertEquals(tables.length, 2);
  assertMatch(tables[0]!, /^\*\*What does .*\?\*\*\n\n\| round_trip \|.*\|\n\| --- \|/);
  assertMatch(tables[0]!, /\n\| portCount=1;laneCount=1;waiting=spin\+spin \| 201 ns \| /);
  assertMatch(tables[1]!, /\| - \| - \|$/);
});

Deno.test("rowsText() writes all of the figures as JSON, and the table as it is", () => {
  const read = JSON.parse(rowsText(rows, "json")) as PointSummary[];
  assertEquals(read.map(({ scenario }) => scenario), ["round_trip", "other"]);
  assertEquals(read[0]!.latencySeconds.center, rows[0]!.latencySeconds.center);
  assertEquals(rowsText(rows, "table"), tableText(rows));
});

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
