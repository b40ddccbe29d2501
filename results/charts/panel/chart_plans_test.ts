import { assert, assertEquals } from "@std/assert";
import { sampleRecord } from "../../../bench/record/testdata/sample_record.ts";
import { allPoints, oneAxisAtATime, type Point } from "../../../scenarios/axis.ts";
import { type PointSummary, summarize } from "../../statistics/summary.ts";
import { type ChartPlan, chartPlans, isNumeric, valuesOf } from "./chart_plans.ts";

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
