import { assertEquals, assertMatch } from "@std/assert";
import { roundTrip } from "../../scenarios/worker/round_trip.ts";
import type { PointRequest } from "./isolated_point.ts";
import type { Measurement, UnmeasuredPoint } from "../record/record.ts";
import { runSweep, type SweepStep } from "./run_sweep.ts";
import { planSweep } from "./plan_sweep.ts";
import { sampleMeasurement, sampleRecord } from "../record/testdata/sample_record.ts";

const axisValues = { laneCount: [1], waiting: ["spin+spin"] };
const plan = planSweep([roundTrip], { seed: 1, rounds: 1, axisValues });
const machine = { ...sampleRecord.machine, loadAverage: [2, 0, 0] };
const context = { runId: "r", startedAt: "2026-01-02T03:04:05.678Z", seed: 1, machine };

function steps(measure: (request: PointRequest) => Promise<Measurement>): Promise<SweepStep[]> {
  return Array.fromAsync(runSweep(plan, { context, seconds: 10, isQuick: false, measure }));
}

Deno.test("runSweep() puts each measurement into its context", async () => {
  const done = await steps(() =>
    Promise.resolve({ ...sampleMeasurement, warnings: ["own warning"] })
  );
  assertEquals(done.length, plan.length);
  for (const [index, step] of done.entries()) {
    const { record } = step as SweepStep & { record: typeof sampleRecord };
    assertEquals(record.pointId, plan[index]!.pointId);
    assertEquals([record.runId, record.recordVersion], ["r", 1]);
    assertMatch(record.warnings[0]!, /load 2.00 on 2 cores/);
    assertEquals(record.warnings[1], "own warning");
  }
});

Deno.test("runSweep() goes on after a point that fails", async () => {
  const done = await steps(({ pointId }) =>
    pointId === plan[0]!.pointId ? Promise.reject("boom") : Promise.resolve(sampleMeasurement)
  );
  assertEquals(done.length, plan.length);
  const { unmeasured } = done[0] as { unmeasured: UnmeasuredPoint };
  assertEquals([unmeasured.outcome, unmeasured.reason], ["failed", "boom"]);
  assertEquals([unmeasured.pointId, unmeasured.runId], [plan[0]!.pointId, "r"]);
  assertEquals(done.slice(1).every((step) => "record" in step), true);
});

Deno.test("runSweep() does not measure a point that means nothing, and says why", async () => {
  const reason = "one port is no sweep";
  const skipping = { ...roundTrip, skip: () => reason };
  const steps = await Array.fromAsync(runSweep(
    planSweep([skipping], { seed: 1, rounds: 2, axisValues }),
    { context, seconds: 10, isQuick: false, measure: () => Promise.reject("it was measured") },
  ));
  const told = steps.map((step) => "unmeasured" in step ? step.unmeasured : undefined);
  assertEquals(told.length, plan.length);
  for (const one of told) assertEquals([one?.outcome, one?.reason], ["skipped", reason]);
});
