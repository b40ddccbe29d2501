import { assertEquals, assertMatch } from "@std/assert";
import { roundTrip } from "../../scenarios/worker/round_trip.ts";
import type { PointRequest } from "./isolated_point.ts";
import type { Measurement } from "../record/record.ts";
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
  assertEquals((done[0] as { failure: Error }).failure.message, "boom");
  assertEquals(done.slice(1).every((step) => "record" in step), true);
});
