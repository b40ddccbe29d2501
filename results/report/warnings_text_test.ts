import { assertEquals, assertMatch } from "@std/assert";
import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";
import { sharedWarnings, warningKinds, warningsText } from "./warnings_text.ts";
import { type PointSummary, summarize } from "../statistics/summary.ts";

function rowWith(pointId: string, ...warnings: readonly string[]): PointSummary {
  return { ...summarize([{ ...sampleRecord, pointId }])[0]!, warnings };
}

Deno.test("warningsText() shows warnings that differ in their numbers once, and where", () => {
  const rows = [1, 4, 16, 64, 256].map((ports) =>
    rowWith(`ports=${ports}`, `It took ${ports * 1.5} µs in ${ports} of 300 samples`)
  );
  const text = warningsText([...rows, rowWith("ports=1024")]);
  assertEquals(text.match(/It took/g)?.length, 1);
  assertMatch(
    text,
    /It took 1.5 µs..384 µs in 1..256 of 300 samples \(round_trip ports=1, .* and 2 more\)/,
  );
});

Deno.test("warningsText() names a point once, however many of its rounds have the warning", () => {
  const ofRounds = [1, 2, 3, 4].map((round) => `It took ${round} µs`);
  assertMatch(
    warningsText([rowWith("a", ...ofRounds), rowWith("b", "It took 9 µs")]),
    /It took 1 µs..9 µs \(round_trip a, round_trip b\)/,
  );
});

Deno.test("warningsText() keeps what all points share apart", () => {
  const rows = [rowWith("a", "load", "stall"), rowWith("b", "load")];
  assertEquals(sharedWarnings(rows), new Set(["load"]));
  assertMatch(warningsText(rows), /load \(every point\)\n {2}stall \(round_trip a\)/);
});

Deno.test("warningsText() is empty where there is none", () => {
  assertEquals(warningsText([rowWith("a")]), "");
  assertEquals(warningsText([]), "");
});

Deno.test("warningKinds() orders times by their length and not by their digits", () => {
  const textOf = (...warnings: readonly string[]) =>
    warningKinds(warnings.map((warning) => ({ warning }))).map(({ text }) => text);
  const moved = (from: string, share: number) =>
    `It moved from ${from} at ${share} %: trust ratios`;
  assertEquals(textOf(moved("1.20 ms", 9), moved("900 ns", 10), moved("40.0 µs", 100)), [
    "It moved from 900 ns..1.20 ms at 9..100 %: trust ratios",
  ]);
  assertEquals(textOf("It rained"), ["It rained"]);
  assertEquals(textOf("1 of 2", "1 in 2", "1 of 2"), ["1 of 2", "1 in 2"]);
  assertEquals(textOf("Deno 2.9.6", "Deno 2.10.0").length, 1);
});
