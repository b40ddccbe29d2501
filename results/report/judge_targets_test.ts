import { assertAlmostEquals, assertEquals, assertMatch } from "@std/assert";
import type { RunRecord } from "../../bench/record/record.ts";
import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";
import { allPoints, pointId } from "../../scenarios/axis.ts";
import { scenarios } from "../../scenarios/registry.ts";
import type { Figure, Scenario, Target, Where } from "../../scenarios/scenario.ts";
import { summarize } from "../statistics/summary.ts";
import {
  judgeTargets,
  type TargetFigure,
  targetFigures,
  targetsText,
  type TargetVerdict,
} from "./judge_targets.ts";

/** Records at some ports, each so many times as slow as its floor. */
function recordsAt(timesFloor: Readonly<Record<number, number>>): RunRecord[] {
  return Object.entries(timesFloor).map(([portCount, times]) => ({
    ...sampleRecord,
    point: { ...sampleRecord.point, portCount: Number(portCount) },
    pointId: `portCount=${portCount}`,
    latencySeconds: sampleRecord.controlSeconds.map((seconds) => seconds * times),
  }));
}

function target(bound: Target["bound"], limit: number): Target {
  return { text: "a figure", where: {}, figure: { kind: "timesFloor" }, bound, limit };
}

function verdicts(records: readonly RunRecord[], ...targets: readonly Target[]): TargetVerdict[] {
  const rows = summarize(records.map((record) => ({ ...record, targets })));
  return judgeTargets(rows).map(({ verdict }) => verdict);
}

Deno.test("judgeTargets() decides by the interval, and not inside it", () => {
  const seconds = [1.9, 1.95, 2, 2.05, 2.1, 2.15];
  const controlSeconds = seconds.map(() => 1e-7);
  const latencySeconds = seconds.map((one) => one * 1e-7);
  const records = [{ ...sampleRecord, latencySeconds, controlSeconds }];
  for (
    const [limit, atMost, atLeast] of [
      [2.2, "reached", "missed"],
      [2, "undecided", "undecided"],
      [1.8, "missed", "reached"],
    ] as const
  ) {
    assertEquals(verdicts(records, target("at most", limit)), [atMost]);
    assertEquals(verdicts(records, target("at least", limit)), [atLeast]);
  }
});

Deno.test("judgeTargets() of several points tells the worst, and which one that is", () => {
  const targets = [target("at most", 3), target("at least", 1)];
  const records = recordsAt({ 1: 2, 4: 4, 16: 3 }).map((record) => ({ ...record, targets }));
  const [most, least] = judgeTargets(summarize(records));
  assertEquals([most!.verdict, most!.pointId, most!.pointCount], ["missed", "portCount=4", 3]);
  assertEquals([least!.verdict, least!.pointId], ["reached", "portCount=1"]);
});

Deno.test("a target outlives an axis that it does not know", () => {
  const protocols = ["toggle", "four_phase"].map((protocol, index): RunRecord => ({
    ...recordsAt({ 1: 1.5 + index })[0]!,
    point: { ...sampleRecord.point, protocol },
    pointId: protocol,
  }));
  const [oneCall] = judgeTargets(summarize(protocols));
  assertEquals([oneCall!.verdict, oneCall!.pointId], ["missed", "four_phase"]);
});

Deno.test("judgeTargets() believes no figure whose floor was not that of two cores", () => {
  const shared = recordsAt({ 1: 1 }).map((record) => ({
    ...record,
    latencySeconds: record.latencySeconds.map((seconds) => seconds * 1e4),
    controlSeconds: record.controlSeconds.map((seconds) => seconds * 1e4),
  }));
  const heap: Target = { ...target("at most", 1), figure: { kind: "heapGrowth" } };
  assertEquals(verdicts(shared, target("at most", 2), heap), ["unreliable", "reached"]);
});

/** Every point of an ordinary sweep, with samples of each reference. */
function ordinaryRecords(scenario: Scenario): RunRecord[] {
  const { name, axes, points, references = [], targets = [] } = scenario;
  const samples = references.map((reference) => [reference.name, sampleRecord]);
  const counted = targets.flatMap(({ figure }) =>
    figure.kind === "counted" ? [[figure.count, 1]] : []
  );
  return [...points?.() ?? allPoints(axes)].map((point) => ({
    ...sampleRecord,
    scenario: name,
    targets,
    point,
    pointId: pointId(axes, point),
    references: Object.fromEntries(samples),
    ...counted.length > 0 && { counts: Object.fromEntries(counted) },
  }));
}

Deno.test("judgeTargets() lets a floor that is no exchange of two threads take its time", () => {
  const slow = recordsAt({ 1: 1 }).map((record) => ({
    ...record,
    latencySeconds: record.latencySeconds.map((seconds) => seconds * 1e4),
    controlSeconds: record.controlSeconds.map((seconds) => seconds * 1e4),
  }));
  const other = slow.map((record) => ({ ...record, hasPairFloor: false }));
  assertEquals(verdicts(other, target("at most", 2)), ["reached"]);
});

Deno.test("the targets of this project find their figures in an ordinary sweep", () => {
  const rows = summarize(scenarios.flatMap(ordinaryRecords));
  const found = judgeTargets(rows);
  assertEquals(found.filter(({ verdict }) => verdict === "not measured"), []);
  assertEquals(found.length, scenarios.flatMap(({ targets = [] }) => targets).length);
});

Deno.test("targetsText() has a line for each target of what was swept, measured or not", () => {
  const text = targetsText(summarize([sampleRecord]));
  assertMatch(
    text,
    /^missed +one call.*: 2.00, wanted at most 1.6; too few rounds to be sure: 1$/m,
  );
  assertMatch(text, /^not measured +4096 ports, in calls of 1 port: wanted at most 1.15$/m);
  assertEquals(text.split("\n").length, sampleRecord.targets.length);
  assertEquals(targetsText([]), "");
});

Deno.test("targetsText() says which of several points is the worst", () => {
  const targets = [target("at most", 3)];
  const records = recordsAt({ 1: 2, 4: 4 }).map((record) => ({ ...record, targets }));
  const text = targetsText(summarize(records));
  assertMatch(text, /wanted at most 3; the worst of 2 points, portCount=4; too few/);
});

Deno.test("targetsText() says when too few rounds stand behind a verdict, and no more when they do", () => {
  const roundsOf = (count: number) =>
    Array.from({ length: count }, (_, round) => ({ ...sampleRecord, targets, round }));
  const targets = [target("at most", 3)];
  const textOf = (count: number) => targetsText(summarize(roundsOf(count)));
  assertMatch(textOf(4), /wanted at most 3; too few rounds to be sure: 4$/);
  assertMatch(textOf(5), /wanted at most 3$/);
});

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
