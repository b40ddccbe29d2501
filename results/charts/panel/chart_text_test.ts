import { assertEquals, assertMatch } from "@std/assert";
import { sampleRecord } from "../../../bench/record/testdata/sample_record.ts";
import { type PointSummary, summarize } from "../../statistics/summary.ts";
import { altText, type Drawing, intervalText, seriesText, subtitleOf } from "./chart_text.ts";
import { chartPlans } from "./chart_plans.ts";
import { figureRow } from "./figure_panel.ts";

const FIGURE = {
  unit: "seconds",
  title: "time a call",
  intervalOf: (row: PointSummary) => row.latencySeconds,
  noteOf: () => "A note",
} as const;

function drawingOf(roundCount: number, portCounts: readonly number[]): Drawing {
  const rows = summarize(
    portCounts.flatMap((portCount) =>
      Array.from({ length: roundCount }, (_, round) => ({
        ...sampleRecord,
        round,
        latencySeconds: sampleRecord.latencySeconds.map((one) => one * portCount),
        point: { portCount, laneCount: 1 },
        pointId: `portCount=${portCount}`,
      }))
    ),
  );
  const values = rows.map(({ point, pointId, latencySeconds: interval, roundCount }) =>
    figureRow(point, { interval, roundCount, text: `${pointId}: ${interval.center}` })
  );
  return { plan: chartPlans(rows)[0], figure: FIGURE, values };
}

Deno.test("subtitleOf() says how many rounds there were, and what hollow dots are", () => {
  assertEquals(subtitleOf(drawingOf(2, [1, 4]), 0), [
    "Median and range of 2 rounds; hollow: fewer than 5, too few to be sure",
    "A note",
    "At lane count 1",
  ]);
  assertEquals(subtitleOf(drawingOf(5, [1, 4]), 1).slice(0, 1), [
    "Median and interval of 5 rounds",
  ]);
  assertMatch(
    subtitleOf(drawingOf(1, [1]), 1).at(-1)!,
    /lane count 1; 1 other point not shown here$/,
  );
});

Deno.test("altText() says what is drawn over what, and its extremes", () => {
  assertEquals(
    altText(drawingOf(1, [4, 1])),
    `${sampleRecord.question} Chart of time a call over port count, 2 points. ` +
      "From portCount=1: 2.01e-7, to portCount=4: 8.04e-7.",
  );
  assertMatch(altText(drawingOf(1, [1])), /time a call, 1 point\. portCount=1: 2.01e-7\.$/);
});

Deno.test("seriesText() counts what is counted, and names the rest", () => {
  assertEquals(seriesText("laneCount", 64), "64 lanes");
  assertEquals(seriesText("laneCount", 1), "1 lane");
  assertEquals(seriesText("callsPerWave", 4), "calls per wave 4");
  assertEquals(seriesText("lock", "cas"), "cas");
});

Deno.test("intervalText() has the unit at each number", () => {
  const interval = { center: 2e-7, lo: 1e-7, hi: 3e-6, confidence: 1, warnings: [] };
  assertEquals(intervalText(interval, "seconds"), "200 ns (100 ns to 3.00 µs)");
});
