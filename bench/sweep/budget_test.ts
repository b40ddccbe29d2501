import { assertAlmostEquals, assertEquals, assertLess } from "@std/assert";
import { manyClients } from "../../scenarios/worker/many_clients.ts";
import { pingPong } from "../../scenarios/worker/ping_pong.ts";
import { divideBudget } from "./budget.ts";

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
