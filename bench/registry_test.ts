import { assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import { scenarios as questions } from "../scenarios/registry.ts";
import { findScenario, scenarios } from "./registry.ts";

Deno.test("scenarios are all questions, and those with packages behind them, by names of their own", () => {
  const names = scenarios.map(({ name }) => name);
  assertEquals(names, [...questions.map(({ name }) => name), "peers"]);
  assertEquals(new Set(names).size, names.length);
});

Deno.test("findScenario() finds both kinds, or says what there is", () => {
  assertStrictEquals(
    findScenario("round_trip"),
    questions.find(({ name }) => name === "round_trip"),
  );
  assertEquals(findScenario("peers").name, "peers");
  assertThrows(() => findScenario("peer"), RangeError, "peers");
});
