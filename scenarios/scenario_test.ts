import { assertEquals } from "@std/assert";
import { type Control, controlsOf } from "./scenario.ts";
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
