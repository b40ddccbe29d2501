import { assertAlmostEquals, assertEquals } from "@std/assert";
import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";
import type { RunRecord } from "../../bench/record/record.ts";
import type { Figure, Where } from "../../scenarios/target.ts";
import { summarize } from "../statistics/summary.ts";
import { type TargetFigure, targetFigures } from "./target_figures.ts";

/** A record at the point of the sample, moved; `slower` times as slow as the sample. */
function at(move: RunRecord["point"], slower = 1): RunRecord {
  const point = { ...sampleRecord.point, ...move };
  const pointId = Object.entries(point).map((pair) => pair.join("=")).join(";");
  const latencySeconds = sampleRecord.latencySeconds.map((seconds) => seconds * slower);
  return { ...sampleRecord, point, pointId, latencySeconds };
}

function centersOf(
  records: readonly RunRecord[],
  target: { readonly where: Where; readonly figure: Figure },
): Record<string, number> {
  const whole = { ...target, text: "a figure", bound: "at most", limit: 2 } as const;
  return Object.fromEntries(
    targetFigures(whole, summarize(records)).map(({ pointId, interval }) => [
      pointId.replaceAll(/;laneCount=1|;waiting=spin\+spin/g, ""),
      Number(interval.center.toFixed(6)),
    ]),
  );
}

const records = [at({}), at({ portCount: 4 }, 1.5), at({ portCount: 4, waiting: "park+park" }, 9)];

Deno.test("targetFigures() takes every point with the axes that are named, whatever the others are", () => {
  const figure = { kind: "timesFloor" } as const;
  const where = { portCount: 4 };
  assertEquals(centersOf(records, { where, figure }), {
    "portCount=4": 3,
    "portCount=4;waiting=park+park": 18,
  });
  assertEquals(centersOf(records, { where: { portCount: 2 }, figure }), {});
  assertEquals(centersOf(records, { where: { lanes: 1 }, figure }), {});
});

Deno.test("targetFigures() compares with the point that has the named axes moved, no other one", () => {
  const point = { portCount: 1 };
  assertEquals(centersOf(records, { where: {}, figure: { kind: "timesPoint", point } }), {
    "portCount=4": 1.5, // parking was not measured at one port, and one port is not compared with itself
  });
  const faster = {
    where: point,
    figure: { kind: "timesFasterThanPoint", point: { portCount: 4 } },
  };
  assertEquals(centersOf(records, faster as Parameters<typeof centersOf>[1]), {
    "portCount=1": 1.5,
  });
});

Deno.test("targetFigures() knows references and bytes, and has no figure without them", () => {
  const reference = "post_message";
  const where = { portCount: 1 };
  assertEquals(
    centersOf(records, { where, figure: { kind: "timesFasterThan", reference } }),
    { "portCount=1": 200 },
  );
  assertEquals(centersOf(records, { where, figure: { kind: "heapGrowth" } }), {
    "portCount=1": 0.5,
  });
  const { heapGrowthBytesPerCall: _, partnerHeapGrowthBytesPerCall: __, ...uncounted } = at({});
  const bare = { ...uncounted, references: {} };
  assertEquals(centersOf([bare], { where, figure: { kind: "heapGrowth" } }), {});
  assertEquals(centersOf([bare], { where, figure: { kind: "timesFasterThan", reference } }), {});
});

Deno.test("targetFigures() of two points is wide when the floor moved in between, either way", () => {
  const target = {
    text: "a figure",
    where: { portCount: 4 },
    figure: { kind: "timesPoint", point: { portCount: 1 } },
    bound: "at most",
    limit: 2,
  } as const;
  for (const moved of [5, 1 / 5]) {
    const there = at({ portCount: 4 }, moved);
    const controlSeconds = there.controlSeconds.map((seconds) => seconds * moved);
    const [figure] = targetFigures(target, summarize([at({}), { ...there, controlSeconds }]));
    assertEquals(figure!.interval.lo <= Math.min(1, moved), true);
    assertEquals(figure!.interval.hi >= Math.max(1, moved), true);
  }
});

Deno.test("targetFigures() takes the geometric mean over all points, and none over fewer", () => {
  const figure = (pointCount: number) =>
    ({ kind: "meanTimesReference", reference: "post_message", pointCount }) as const;
  const where = { waiting: "spin+spin" };
  const [one, four] = records.slice(0, 2).map((record) =>
    Object.values(centersOf([record], {
      where,
      figure: { kind: "timesFasterThan", reference: "post_message" },
    }))[0]!
  );
  const [mean] = Object.entries(centersOf(records, { where, figure: figure(2) }));
  assertEquals(mean![0], "2 points");
  assertAlmostEquals(mean![1], 1 / Math.sqrt(one! * four!), 1e-6);
  assertEquals(centersOf(records, { where, figure: figure(3) }), {});
});

Deno.test("targetFigures() takes the seconds beyond the floor's, with the doubt of both", () => {
  const target = { text: "", where: {}, bound: "at most", limit: 1 } as const;
  const figure = { kind: "secondsOverFloor" } as const;
  const rows = summarize([at({})]);
  const { latencySeconds, controlSeconds } = rows[0]!;
  const [{ interval }] = targetFigures({ ...target, figure }, rows) as [TargetFigure];
  assertAlmostEquals(interval.center, latencySeconds.center - controlSeconds!.center, 1e-12);
  assertAlmostEquals(interval.lo, latencySeconds.lo - controlSeconds!.hi, 1e-12);
  assertAlmostEquals(interval.hi, latencySeconds.hi - controlSeconds!.lo, 1e-12);
});

Deno.test("targetFigures() counts calls a second, those of a turn one by one", () => {
  const figure = { kind: "callsPerSecond" } as const;
  const [own] = Object.values(centersOf([at({})], { where: {}, figure }));
  const turns = { ...at({}), callsPerTurn: 16384 };
  const [shared] = Object.values(centersOf([turns], { where: {}, figure }));
  assertAlmostEquals(shared! / own!, 16384, 1e-3);
});
