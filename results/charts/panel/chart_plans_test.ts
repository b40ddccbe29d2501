import { assert, assertEquals, assertMatch } from "@std/assert";
import { sampleRecord } from "../../../bench/record/testdata/sample_record.ts";
import { allPoints, oneAxisAtATime, type Point } from "../../../scenarios/axis.ts";
import { type PointSummary, summarize } from "../../statistics/summary.ts";
import {
  altText,
  type ChartPlan,
  chartPlans,
  type Drawing,
  intervalText,
  isNumeric,
  seriesText,
  subtitleOf,
  valuesOf,
  wordsOf,
} from "./chart_plans.ts";
import { figureRow } from "./figure_panel.ts";

const axes = {
  waiting: ["spin", "adaptive", "park", "backoff"],
  portCount: [1, 4, 16],
  checks: ["off", "on"],
} as const;

function rowsAt(points: Iterable<Point>): PointSummary[] {
  return [...points].flatMap((point) =>
    summarize([{ ...sampleRecord, point, pointId: JSON.stringify(point) }])
  );
}

function partsOf({ place, color, facet, rows }: ChartPlan) {
  return [place, color, facet, rows.length];
}

Deno.test("chartPlans() puts the numeric axis with most values on the place, the next on the colour", () => {
  const points = allPoints({
    waiting: ["park"],
    checks: ["on", "off"],
    ports: [1, 8],
    lanes: [1, 8, 64],
  });
  const [plan, ...others] = chartPlans(rowsAt(points));
  assertEquals(partsOf(plan), ["lanes", "checks", "ports", 12]);
  assertEquals(plan.constants, { waiting: "park" });
  assertEquals(others, []);
});

Deno.test("chartPlans() has panels for the third axis of a full product", () => {
  assertEquals(chartPlans(rowsAt(allPoints(axes))).map(partsOf), [[
    "portCount",
    "waiting",
    "checks",
    24,
  ]]);
});

Deno.test("chartPlans() has a text axis on the place where no number varies, and none for one point", () => {
  const texts = rowsAt(allPoints({ ...axes, portCount: [4] }));
  assertEquals(partsOf(chartPlans(texts)[0]), ["waiting", "checks", undefined, 8]);
  const [one] = chartPlans(texts.slice(0, 1));
  assertEquals(partsOf(one), [undefined, undefined, undefined, 1]);
  assertEquals(one.constants, { waiting: "spin", portCount: 4, checks: "off" });
  assertEquals(chartPlans(rowsAt([{}]))[0].constants, {});
});

Deno.test("chartPlans() draws each axis of a sweep that moves one at a time in a chart of its own", () => {
  const control = { waiting: "spin", portCount: 1, checks: "off" } as const;
  const more = { ...axes, checks: ["off", "on", "some"] } as const;
  const rows = rowsAt(oneAxisAtATime(more, control));
  const plans = chartPlans(rows);
  assertEquals(plans.map(({ place }) => place), ["portCount", "waiting", "checks"]);
  const drawn = new Set(plans.flatMap((plan) => plan.rows));
  assertEquals(rows.filter((row) => !drawn.has(row)), []);
  for (const { rows: some, constants } of plans) {
    assert(
      some.every(({ point }) => Object.keys(constants).every((it) => point[it] === constants[it])),
    );
  }
});

Deno.test("chartPlans() holds what is too much at the value that most points have", () => {
  const many = { ...axes, laneCount: [1, 8, 32], side: ["client", "server"] } as const;
  const more = { waiting: "nap", portCount: 1, checks: "off", laneCount: 1, side: "server" };
  const [plan, ...others] = chartPlans(rowsAt([...allPoints(many), more]));
  assertEquals(partsOf(plan), ["portCount", "waiting", "laneCount", 37]);
  assertEquals(plan.constants, { checks: "off", side: "server" });
  assertEquals(others.map(({ place }) => place), ["checks", "side"]);
});

Deno.test("chartPlans() leaves out points of other axes", () => {
  const rows = rowsAt([{ size: 7 }, ...allPoints({ size: [1, 2], way: ["a", "b"] })]);
  assertEquals(chartPlans(rows).map(partsOf), [["size", "way", undefined, 4]]);
});

Deno.test("chartPlans() gives no more colours than can be told apart", () => {
  const wide = { portCount: [1, 4], name: Array.from({ length: 9 }, (_, at) => `way ${at}`) };
  const plans = chartPlans(rowsAt(allPoints(wide)));
  assertEquals(plans.map(partsOf), [
    ["portCount", undefined, undefined, 2],
    ["name", "portCount", undefined, 18],
  ]);
});

Deno.test("valuesOf() has the values in order, each once, and isNumeric() their kind", () => {
  const rows = rowsAt([{ portCount: 16 }, { portCount: 4 }, { portCount: 16 }]);
  assertEquals(valuesOf(rows, "portCount"), [4, 16]);
  assertEquals(isNumeric(rows, "portCount"), true);
  assertEquals(isNumeric(rowsAt([{ lock: "cas" }]), "lock"), false);
});

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

Deno.test("wordsOf() takes the names of axes and of scenarios apart", () => {
  assertEquals(wordsOf("callsPerWave"), "calls per wave");
  assertEquals(wordsOf("raw_readback"), "raw readback");
});
