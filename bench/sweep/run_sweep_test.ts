import { assertAlmostEquals, assertEquals, assertLess, assertMatch } from "@std/assert";
import { roundTrip } from "../../scenarios/worker/round_trip.ts";
import type { PointRequest } from "./isolated_point.ts";
import type { Measurement, RunRecord, UnmeasuredPoint } from "../record/record.ts";
import {
  divideBudget,
  fittingVisits,
  Pace,
  runSweep,
  sweepSecondsOf,
  type SweepStep,
  visitId,
} from "./run_sweep.ts";
import { delay } from "@std/async";
import { planSweep } from "./plan_sweep.ts";
import { sampleMeasurement, sampleRecord } from "../record/testdata/sample_record.ts";
import { manyClients } from "../../scenarios/worker/many_clients.ts";
import { pingPong } from "../../scenarios/worker/ping_pong.ts";

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
    assertEquals([record.runId, record.recordVersion], ["r", 3]);
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

Deno.test("runSweep() leaves out what was visited, and gives the others the time that they would have had", async () => {
  const budgets: number[] = [];
  const measure = ({ budget }: PointRequest) => {
    budgets.push(budget.seconds);
    return Promise.resolve(sampleMeasurement);
  };
  const options = { context, seconds: 10, isQuick: false, measure };
  const all = await Array.fromAsync(runSweep(plan, options));
  const ids = all.map((step) => visitId((step as { record: RunRecord }).record));
  const visited = new Set(ids.slice(0, 3));
  const rest = await Array.fromAsync(runSweep(plan, { ...options, visited }));
  assertEquals(rest.map((step) => visitId((step as { record: RunRecord }).record)), ids.slice(3));
  assertEquals(new Set(budgets).size, 1);
});

Deno.test("runSweep() ends when it is told to, and does not call the point in hand failed", async () => {
  const controller = new AbortController();
  const options = { context, seconds: 10, isQuick: false, signal: controller.signal };
  let count = 0;
  const measure = () => {
    if (++count < 3) return Promise.resolve(sampleMeasurement);
    controller.abort();
    return Promise.reject(new Error("killed"));
  };
  const done = await Array.fromAsync(runSweep(plan, { ...options, measure }));
  assertEquals(done.map((step) => "record" in step), [true, true]);
});

Deno.test("runSweep() puts the command line and doubts about the whole run into each record", async () => {
  const measure = () => Promise.resolve(sampleMeasurement);
  const own = { ...context, commandLine: ["--quick"], warnings: ["another commit"] };
  const options = { context: own, seconds: 10, isQuick: false, measure };
  for await (const step of runSweep(plan, options)) {
    const { record } = step as { record: RunRecord };
    assertEquals([record.commandLine, record.warnings.at(-1)], [["--quick"], "another commit"]);
  }
});

Deno.test("runSweep() begins no visit when a hard time is over, and leaves the others for later", async () => {
  const measure = () => Promise.resolve(sampleMeasurement);
  const options = { context, seconds: 0.1, isQuick: false, isTimeHard: true, measure };
  assertEquals((await Array.fromAsync(runSweep(plan, options))).length, 1);
});

Deno.test("runSweep() puts into each line what readers know the scenario by", async () => {
  const own = { ...roundTrip, callsPerTurn: () => 7, mainReference: "post_message" };
  const one = planSweep([own], { seed: 1, rounds: 1, axisValues });
  const measure = () => Promise.resolve(sampleMeasurement);
  const [step] = await Array.fromAsync(
    runSweep(one, { context, seconds: 10, isQuick: false, measure }),
  );
  const { record } = step as { record: RunRecord };
  assertEquals(record.repeatArguments, ["--scenario", "round_trip", "--point", record.pointId]);
  assertEquals([record.callsPerTurn, record.mainReference, record.moduleUrl], [
    ...[7, "post_message", undefined],
  ]);
  assertEquals(record.targets, roundTrip.targets as RunRecord["targets"]);
  assertEquals([record.hasPairFloor, record.hasFixedFloor], [true, true]);
  const wrong = { ...own, callsPerTurn: () => 0 };
  const [failed] = await Array.fromAsync(
    runSweep(planSweep([wrong], { seed: 1, rounds: 1, axisValues }), {
      ...{ context, seconds: 10, isQuick: false, measure },
    }),
  );
  assertMatch(
    (failed as { unmeasured: UnmeasuredPoint }).unmeasured.reason,
    /callsPerTurn must be/,
  );
});

Deno.test("divideBudget() shares out all the time, double shares to long samples", () => {
  const scenarios = [pingPong, pingPong, manyClients];
  const budgetOf = divideBudget(scenarios, { seconds: 60, isQuick: false });
  const all = scenarios.reduce((sum, scenario) => sum + budgetOf(scenario).seconds + 0.45, 0);
  assertAlmostEquals(all, 60);
  assertAlmostEquals(budgetOf(manyClients).seconds, 2 * budgetOf(pingPong).seconds);
});

Deno.test("divideBudget() leaves each point some time when there is too little", () => {
  const scenarios = Array.from({ length: 100 }, () => pingPong);
  assertEquals(divideBudget(scenarios, { seconds: 1, isQuick: false })(pingPong).seconds, 0.1);
});

Deno.test("divideBudget() ignores the time of a quick sweep", () => {
  const budgetOf = divideBudget([pingPong], { seconds: 1e6, isQuick: true });
  assertLess(budgetOf(pingPong).seconds, 1);
});

Deno.test("divideBudget() hands on what ends sampling, and lets time alone end it", () => {
  const sweep = {
    seconds: 10,
    isQuick: false,
    stopRules: ["noise"],
    relativeErrorMax: 0.1,
  } as const;
  const budget = divideBudget([pingPong], sweep)(pingPong);
  assertEquals([budget.stopRules, budget.relativeErrorMax], [["noise"], 0.1]);
  const timed = divideBudget([pingPong], { ...sweep, stopRules: ["budget"] })(pingPong);
  assertLess(budget.samplesMax, timed.samplesMax);
});

Deno.test("sweepSecondsOf() is the time of the sweep, or more when it is too short", () => {
  const scenarios = Array.from({ length: 100 }, () => pingPong);
  assertAlmostEquals(sweepSecondsOf(scenarios, { seconds: 60, isQuick: false }), 60);
  assertAlmostEquals(sweepSecondsOf(scenarios, { seconds: 1, isQuick: false }), 55);
});

Deno.test("Pace counts with what visits took to start, where the time is hard", async () => {
  const scenarios = Array.from({ length: 3 }, () => pingPong);
  const sweep = { seconds: 6, isTimeHard: true, isQuick: false };
  const pace = new Pace(scenarios, { ...sweep, of: scenarios });
  const [first] = [pace.next()!.seconds, await delay(2 * 1000)]; // its share would be 1.55 s
  const second = pace.next()!.seconds;
  assertAlmostEquals(first, (6 - 3 * 0.45) / 3, 0.01);
  assertAlmostEquals(second, (6 - 2 - 2 * (2 - first)) / 2, 0.05);
});

Deno.test("Pace has the first visit made in any case, and none that would begin too late", () => {
  const scenarios = Array.from({ length: 3 }, () => pingPong);
  const paceOf = (seconds: number, isTimeHard: boolean) =>
    new Pace(scenarios, { seconds, isTimeHard, isQuick: false, of: scenarios });
  const over = paceOf(0.1, true);
  assertEquals([over.next()?.seconds, over.next()], [0.1, undefined]);
  const soft = paceOf(0.1, false);
  assertEquals(scenarios.map(() => soft.next()?.seconds), [0.1, 0.1, 0.1]);
  const enough = paceOf(600, true);
  const share = divideBudget(scenarios, { seconds: 600, isQuick: false })(pingPong).seconds;
  for (const _ of scenarios) {
    const { seconds } = enough.next()!;
    assertAlmostEquals(seconds, share, 10);
    assertEquals(seconds <= share, true);
  }
  assertEquals([fittingVisits({ seconds: 5 }), fittingVisits({ seconds: 0.1 })], [9, 1]);
});
