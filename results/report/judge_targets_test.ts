import { assertEquals, assertMatch } from "@std/assert";
import type { RunRecord } from "../../bench/record/record.ts";
import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";
import { allPoints, pointId } from "../../scenarios/axis.ts";
import { scenarios } from "../../scenarios/registry.ts";
import type { Scenario } from "../../scenarios/scenario.ts";
import type { Target } from "../../scenarios/target.ts";
import { summarize } from "../statistics/summary.ts";
import { judgeTargets, targetsText, type TargetVerdict } from "./judge_targets.ts";

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
  return [...points?.() ?? allPoints(axes)].map((point) => ({
    ...sampleRecord,
    scenario: name,
    targets,
    point,
    pointId: pointId(axes, point),
    references: Object.fromEntries(samples),
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
    /^missed +one call.*: 2.00 \(-\), wanted at most 1.6; too few rounds to be sure: 1$/m,
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
