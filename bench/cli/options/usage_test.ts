import { assertEquals, assertMatch } from "@std/assert";
import { findScenario, scenarios } from "../../../scenarios/registry.ts";
import { planSweep } from "../../sweep/plan_sweep.ts";
import { dryRunText, emptyPlanText, listText, OPTIONS, USAGE } from "./usage.ts";

Deno.test("USAGE shows each option in a line, apart from its help", () => {
  const lines = [...USAGE.matchAll(/^ {2}--(\S+)(?: (\S+))? +\S+/gm)];
  const shown = lines.map(([, name, value]) => [name, value]);
  const known = Object.entries(OPTIONS).map((
    [name, option],
  ) => [name, "value" in option ? option.value : undefined]);
  assertEquals(shown, [...known, ["help", undefined]]);
});

Deno.test("listText() shows names, questions and axes", () => {
  assertMatch(listText(scenarios), /^round_trip: .*\?\n {2}portCount: 1, 4, 16/m);
});

Deno.test("dryRunText() shows what is left of a sweep, at the time that each point has in the whole", () => {
  const pingPong = findScenario("ping_pong");
  const plan = planSweep([pingPong], { seed: 1, rounds: 4 });
  const whole = { seconds: 4, isQuick: false };
  const visited = new Set(plan.slice(1).map(({ round }) => `ping_pong  ${round}`));
  assertMatch(
    dryRunText(plan, { ...whole, visited: new Set() }),
    /^4 visits of points, 0 .* 4.00 s/m,
  );
  assertEquals(
    dryRunText(plan, { ...whole, visited }),
    "ping_pong\n1 visit of points, 3 made before, 0 points skipped, about 1.00 s or less",
  );
});

Deno.test("emptyPlanText() says what leaves no point, and what a point is like", () => {
  const chosen = { scenarios: [findScenario("round_trip")] };
  assertMatch(
    emptyPlanText({ ...chosen, filter: "lanes", axisValues: { portCount: [4] } }),
    /no point contains .*: current value is "lanes", and a point is such as "round_trip portCount=4;/,
  );
  assertMatch(
    emptyPlanText({ ...chosen, shard: { index: 99, count: 99 } }),
    /^Cannot sweep as shard 99 of 99 holds no point: there are \d\d in all$/,
  );
});
