import { assertAlmostEquals, assertEquals, assertLess } from "@std/assert";
import { manyClients } from "../../scenarios/worker/many_clients.ts";
import { pingPong } from "../../scenarios/worker/ping_pong.ts";
import { divideBudget, fittingVisits, Pace, sweepSecondsOf } from "./budget.ts";

Deno.test("divideBudget() shares out all the time, double shares to long samples", () => {
  const scenarios = [pingPong, pingPong, manyClients];
  const budgetOf = divideBudget(scenarios, { seconds: 60, isQuick: false });
  const all = scenarios.reduce((sum, scenario) => sum + budgetOf(scenario).seconds + 0.15, 0);
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
  assertAlmostEquals(sweepSecondsOf(scenarios, { seconds: 1, isQuick: false }), 25);
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
  assertEquals([fittingVisits({ seconds: 5 }), fittingVisits({ seconds: 0.1 })], [20, 1]);
});
