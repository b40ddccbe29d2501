import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { allPoints, pointId } from "./axis.ts";
import { Partner } from "./partner/partner.ts";
import { findScenario, scenarios } from "./registry.ts";

/** Absent on a machine without a GPU where no software adapter was brought in either. */
const adapter = await navigator.gpu.requestAdapter();

for (const scenario of scenarios) {
  const [smallest] = allPoints(scenario.axes);
  const name = `${scenario.name} runs at its smallest point, ${
    pointId(scenario.axes, smallest!) || "the only one"
  }`;
  Deno.test({
    name,
    ignore: scenario.needsAdapter === true && adapter === null,
    async fn() {
      await using partner = new Partner();
      await using trial = await scenario.setup(smallest!, partner);
      trial.wake?.();
      await trial.run(3);
      trial.rest?.();
    },
  });
}

Deno.test("scenarios have names of their own, and ask", () => {
  const names = scenarios.map(({ name }) => name);
  assertEquals(new Set(names).size, names.length);
  for (const { name, question } of scenarios) {
    assertMatch(name, /^[a-z][a-z0-9_]*$/);
    assertMatch(question, /\?$/);
  }
});

Deno.test("scenarios name points that their axes know", () => {
  for (const { axes, points } of scenarios) {
    for (const point of points?.() ?? []) pointId(axes, point);
  }
});

Deno.test("findScenario() names what there is when there is none of a name", () => {
  assertThrows(() => findScenario("round_tripp"), RangeError, "round_trip");
});
