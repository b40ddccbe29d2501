import { assert, assertEquals } from "@std/assert";
import {
  type Control,
  controlsOf,
  hasFixedFloor,
  smallestPoint,
  type Target,
  type Where,
} from "./scenario.ts";
import { findScenario, scenarios } from "./registry.ts";

Deno.test("controlsOf() has the floor first, and neither floor nor references where there are none", () => {
  const scenario = findScenario("ping_pong");
  const { floor: _, ...alone } = scenario;
  const floor: Control = { ...alone, name: "floor" };
  const reference: Control = { ...alone, name: "reference" };
  assertEquals(controlsOf({ ...alone, floor, references: [reference] }), [floor, reference]);
  assertEquals(controlsOf({ ...alone, references: [reference] }), [reference]);
  assertEquals(controlsOf({ ...alone, floor }), [floor]);
  assertEquals(controlsOf(alone), []);
});

Deno.test("smallestPoint() is the first that is not skipped, or the very first", () => {
  const axes = { laneCount: [1, 32, 64] };
  const scenario = { ...findScenario("ping_pong"), axes };
  assertEquals(smallestPoint(scenario), { laneCount: 1 });
  const reason = "a wave has 32 lanes at least";
  const wide = { ...scenario, skip: ({ laneCount = 0 }) => laneCount < 32 ? reason : undefined };
  assertEquals(smallestPoint(wide), { laneCount: 32 });
  assertEquals(smallestPoint({ ...scenario, skip: () => reason }), { laneCount: 1 });
});

Deno.test("hasFixedFloor() tells a floor without axes from one that may follow the point", () => {
  const { setup } = findScenario("round_trip");
  const following: Control = { name: "follows", setup };
  assertEquals(hasFixedFloor(findScenario("round_trip")), true);
  assertEquals([hasFixedFloor({}), hasFixedFloor({ floor: following })], [false, false]);
});

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
