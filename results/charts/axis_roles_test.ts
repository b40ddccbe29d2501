import { assertEquals } from "@std/assert";
import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";
import { allPoints, oneAxisAtATime, type Point } from "../../scenarios/axis.ts";
import { type PointSummary, summarize } from "../statistics/summary.ts";
import { axisRoles, isNumeric, valuesOf } from "./axis_roles.ts";

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

Deno.test("axisRoles() puts the numeric axis with most values on the place, the next on the colour", () => {
  const points = allPoints({
    waiting: ["park"],
    checks: ["on", "off"],
    ports: [1, 8],
    lanes: [1, 8, 64],
  });
  const { place, colors, facet, constants } = axisRoles(rowsAt(points));
  assertEquals([place, colors, facet], ["lanes", ["checks"], "ports"]);
  assertEquals(constants, { waiting: "park" });
});

Deno.test("axisRoles() has panels for the third axis of a full product", () => {
  const { place, colors, facet, rows } = axisRoles(rowsAt(allPoints(axes)));
  assertEquals([place, colors, facet], ["portCount", ["waiting"], "checks"]);
  assertEquals(rows.length, 24);
});

Deno.test("axisRoles() has a text axis on the place where no number varies, and none for one point", () => {
  const texts = rowsAt(allPoints({ ...axes, portCount: [4] }));
  assertEquals(axisRoles(texts).place, "waiting");
  assertEquals(axisRoles(texts).colors, ["checks"]);
  const one = axisRoles(texts.slice(0, 1));
  assertEquals([one.place, one.colors, one.rows.length], [undefined, [], 1]);
  assertEquals(one.constants, { waiting: "spin", portCount: 4, checks: "off" });
  assertEquals(axisRoles(rowsAt([{}])).constants, {});
});

Deno.test("axisRoles() leaves no point of a sweep out that moves one axis at a time", () => {
  const control = { waiting: "spin", portCount: 1, checks: "off" } as const;
  const rows = rowsAt(oneAxisAtATime(axes, control));
  const roles = axisRoles(rows);
  assertEquals(roles.rows.length, rows.length);
  assertEquals([roles.colors, roles.facet], [["waiting", "checks"], undefined]);
});

Deno.test("axisRoles() holds what is too much at the value that most points have", () => {
  const many = { ...axes, laneCount: [1, 8, 32], side: ["client", "server"] } as const;
  const rows = rowsAt([
    ...allPoints(many),
    { ...control(many), side: "server", waiting: "nap" },
  ]);
  const { constants, rows: drawn, place } = axisRoles(rows);
  assertEquals(constants.side, "server");
  assertEquals(place, "portCount");
  assertEquals(drawn.every(({ point }) => point.side === "server"), true);
});

function control(some: Record<string, readonly (string | number)[]>): Point {
  return Object.fromEntries(Object.entries(some).map(([axis, values]) => [axis, values[0]!]));
}

Deno.test("valuesOf() has the values in order, each once, and isNumeric() their kind", () => {
  const rows = rowsAt([{ portCount: 16 }, { portCount: 4 }, { portCount: 16 }]);
  assertEquals(valuesOf(rows, "portCount"), [4, 16]);
  assertEquals(isNumeric(rows, "portCount"), true);
  assertEquals(isNumeric(rowsAt([{ lock: "cas" }]), "lock"), false);
});
