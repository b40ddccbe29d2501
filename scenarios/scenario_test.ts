import { assertEquals } from "@std/assert";
import { type Control, controlsOf, hasFixedFloor, smallestPoint } from "./scenario.ts";
import { findScenario } from "./registry.ts";

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
