import { assertThrows } from "@std/assert";
import { checkScenario } from "./check_scenario.ts";
import type { Scenario } from "./scenario.ts";
import { scenarios } from "./registry.ts";

Deno.test("checkScenario() takes the scenarios of this project", () => {
  for (const scenario of scenarios) checkScenario(scenario, "here");
});

Deno.test("checkScenario() names the module and what is missing", () => {
  const right = scenarios[0]!;
  const wrong: readonly (readonly [change: Readonly<Record<string, unknown>>, text: string])[] = [
    [{ name: "My own" }, 'its name must be small letters, digits and "_"'],
    [{ name: undefined }, "its name must be"],
    [{ question: "It is fast" }, "its question must end with a question mark"],
    [{ axes: undefined }, "its axes must be lists"],
    [{ axes: { laneCount: [] } }, "each with a value"],
    [{ axes: { laneCount: [NaN] } }, "lists of numbers or texts"],
    [{ axes: { waiting: ["spin;park"] } }, "lists of numbers or texts"],
    [{ setup: undefined }, "its setup must be a function"],
  ];
  for (const [change, text] of wrong) {
    const scenario = { ...right, ...change } as Scenario;
    assertThrows(() => checkScenario(scenario, "file:///mine.ts"), TypeError, text);
    assertThrows(() => checkScenario(scenario, "file:///mine.ts"), TypeError, "file:///mine.ts");
  }
});
