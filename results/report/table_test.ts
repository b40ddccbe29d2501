import { assertEquals, assertMatch } from "@std/assert";
import { sampleRecord, sampleUnmeasured } from "../../bench/record/testdata/sample_record.ts";
import { summarize } from "../statistics/summary.ts";
import { rangeText, tableText, unmeasuredText } from "./table.ts";

function rowAt(portCount: number, warnings: readonly string[] = []): typeof sampleRecord {
  const pointId = `portCount=${portCount};laneCount=1;waiting=spin+spin`;
  return { ...sampleRecord, point: { ...sampleRecord.point, portCount }, pointId, warnings };
}

Deno.test("tableText() shows the figures with their intervals under the question", () => {
  const text = tableText(summarize([rowAt(1)]));
  const twice = [0, 1].map((round) => ({ ...rowAt(1), round }));
  assertMatch(tableText(summarize(twice)), / 2 +201 ns +190 ns to 210 ns +193 ns /);
  assertMatch(text, /^round_trip: What does one .*\? \(floor: ping_pong\)$/m);
  assertMatch(
    text,
    /portCount=1;\S+ \* +1 +201 ns +193 ns +4\.98 M\/s +2.00 +200x/,
  );
});

Deno.test("tableText() orders points by their axes, and aligns their columns", () => {
  const lines = tableText(summarize([rowAt(16), rowAt(4), rowAt(1024)])).split("\n").slice(2, 5);
  assertEquals(lines.map((line) => line.trim().split(";")[0]), [
    "portCount=4",
    "portCount=16",
    "portCount=1024",
  ]);
  assertEquals(new Set(lines.map((line) => line.indexOf("201 ns"))).size, 1);
});

Deno.test("tableText() marks the points that have warnings of their own", () => {
  const rows = [rowAt(1, ["load", "The control moved"]), rowAt(4, ["load"])].flatMap((record) =>
    summarize([record])
  );
  const text = tableText(rows);
  assertMatch(text, /portCount=1;\S+ \* /);
  assertMatch(text, /portCount=4;\S+ {2}/);
  assertMatch(text, /load \(every point\)/);
});

Deno.test("rangeText() shows no range that means nothing", () => {
  const interval = { center: 1, lo: 1, hi: 1, confidence: 0, warnings: [] };
  assertEquals(rangeText(interval, String), "-");
  assertEquals(rangeText({ ...interval, hi: Infinity }, String), "-");
  assertEquals(rangeText({ ...interval, hi: 2 }, String), "-");
  assertEquals(rangeText({ ...interval, hi: 2, confidence: 0.5 }, String), "1 to 2");
});

Deno.test("unmeasuredText() lists skipped points by their reason, then failed ones", () => {
  const failed = { ...sampleUnmeasured, outcome: "failed" as const, reason: "no port" };
  const many = Array.from({ length: 7 }, (_, at) => ({ ...sampleUnmeasured, pointId: `at=${at}` }));
  assertEquals(
    unmeasuredText([failed, ...many]).split("\n"),
    [
      "skipped: round_trip, a wave has 2 lanes at least",
      ...["  at=0", "  at=1", "  at=2", "  at=3", "  at=4", "  and 2 more"],
      "failed: round_trip, no port",
      `  ${failed.pointId}`,
    ],
  );
  assertEquals(unmeasuredText([]), "");
});
