import { assert, assertEquals } from "@std/assert";
import { scenarios } from "./registry.ts";
import type { Target, Where } from "./target.ts";

Deno.test("targets name axes and references that their scenario has", () => {
  const wrong = scenarios.flatMap((scenario) =>
    (scenario.targets ?? []).flatMap((target) => {
      const { where, figure } = target;
      const named = [where, "point" in figure ? figure.point : {}].flatMap(Object.keys);
      const unknown = named.filter((axis) => !Object.hasOwn(scenario.axes, axis));
      const names = (scenario.references ?? []).map(({ name }) => name);
      if ("reference" in figure && !names.includes(figure.reference)) {
        unknown.push(figure.reference);
      }
      if (figure.kind === "timesFloor" && !scenario.floor) unknown.push("the floor");
      return unknown.map((name) => `${scenario.name}: ${target.text}: ${name}`);
    })
  );
  assertEquals(wrong, []);
  assert(scenarios.some(({ targets }) => targets), "there are targets");
});

Deno.test("a target of another axis, or of a value that the axis has not, does not compile", () => {
  const axes = { portCount: [1, 64], waiting: ["spin", "park"] } as const;
  // @ts-expect-error there is no such axis
  const wrongAxis: Where<typeof axes> = { lanes: 1 };
  // @ts-expect-error the axis has no such value
  const wrongValue: Target<typeof axes>["where"] = { waiting: "sleep" };
  assertEquals([wrongAxis, wrongValue].length, 2);
});

Deno.test("no target shares its text with another, so that each line of a report is one of them", () => {
  const texts = scenarios.flatMap(({ targets = [] }) => targets.map(({ text }) => text));
  assertEquals(new Set(texts).size, texts.length);
});
