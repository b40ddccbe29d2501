import { assert, assertEquals, assertMatch } from "@std/assert";
import type { RunRecord } from "../bench/record/record.ts";
import { sampleRecord } from "../bench/record/testdata/sample_record.ts";
import { measurePoint } from "../bench/sample/measure_point.ts";
import type { PointRequest } from "../bench/sweep/isolated_point.ts";
import { runSweep } from "../bench/sweep/run_sweep.ts";
import { planSweep } from "../bench/sweep/plan_sweep.ts";
import { parsePointId } from "../scenarios/axis.ts";
import { loadScenarios } from "../scenarios/registry.ts";
import type { Scenario } from "../scenarios/scenario.ts";
import { makeCharts } from "./charts/make_charts.ts";
import { judgeTargets, targetsText } from "./report/judge_targets.ts";
import { tableText } from "./report/table.ts";
import { summarize } from "./statistics/summary.ts";
import { fieldsOf } from "./testdata/fields_of.ts";

const url = new URL("../scenarios/testdata/clear_bytes.ts", import.meta.url);
const [added] = await loadScenarios(url) as [Scenario];
const records = await sweptRecords(added);
const rows = summarize(records);

/** Sweeps the scenario in this process, as quickly as can be. */
async function sweptRecords(scenario: Scenario): Promise<RunRecord[]> {
  const { runId, startedAt, seed, machine } = sampleRecord;
  const measure = ({ pointId, budget }: PointRequest) =>
    measurePoint(scenario, { point: parsePointId(scenario.axes, pointId), budget });
  const steps = await Array.fromAsync(runSweep(planSweep([scenario], { seed, rounds: 1 }), {
    context: { runId, startedAt, seed, machine },
    seconds: 1,
    isQuick: true,
    measure,
  }));
  return steps.map((step) => {
    if ("record" in step) return step.record;
    throw new Error(step.unmeasured.reason);
  });
}

Deno.test("a scenario in one file is loaded and swept to records", () => {
  assertEquals(records.length, 3 * 2);
  for (const { scenario, question, control, latencySeconds, controlSeconds } of records) {
    assertEquals([scenario, question], ["clear_bytes", added.question]);
    assertEquals([control, controlSeconds.length], ["half_filled", latencySeconds.length]);
  }
  assertMatch(tableText(rows), /^clear_bytes: What does it .*\? \(floor: half_filled\)$/m);
});

Deno.test("a scenario in one file has a chart that follows from its axes", async () => {
  const [only, ...others] = makeCharts(rows);
  assertEquals([only!.name, ...others.map(({ name }) => name)], [
    "clear_bytes",
    "clear_bytes_ratio",
  ]);
  const fields = fieldsOf(only!.chart.spec);
  assert(fields.has("byteCount") && fields.has("figureLo") && fields.has("figureFloor"));
  const svg = await only!.chart.svg();
  for (const text of [added.question, "byte count", "method", "fill", "the floor, half filled"]) {
    assert(svg.includes(text), text);
  }
});

Deno.test("a scenario in one file is judged by its targets, and told what was not measured", () => {
  // The sweep is real; its times are replaced, because a test must not depend on the machine.
  const rows = summarize(records.map((record) => ({
    ...record,
    latencySeconds: record.latencySeconds.map(() => 2e-7),
    controlSeconds: record.controlSeconds.map(() => 1e-7),
  })));
  const [filled, unswept] = judgeTargets(rows);
  assertEquals([filled!.verdict, filled!.pointCount], ["reached", 3]);
  assertEquals(unswept!.verdict, "not measured");
  const lines = targetsText(rows).split("\n");
  assertMatch(
    lines[0]!,
    /^reached +a filled array.*2.00, wanted at most 3; the worst of 3 points/,
  );
  assertMatch(lines[1]!, /^not measured +an array of a size that is not swept/);
});
