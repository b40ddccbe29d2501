import { assertEquals, assertMatch } from "@std/assert";
import { scenarios } from "../../../scenarios/registry.ts";
import { listText, OPTIONS, USAGE } from "./usage.ts";

Deno.test("USAGE shows each option in a line, apart from its help", () => {
  const lines = [...USAGE.matchAll(/^ {2}--(\S+)(?: (\S+))? +\S+/gm)];
  const shown = lines.map(([, name, value]) => [name, value]);
  const known = Object.entries(OPTIONS).map((
    [name, option],
  ) => [name, "value" in option ? option.value : undefined]);
  assertEquals(shown, known);
});

Deno.test("listText() shows names, questions and axes", () => {
  assertMatch(listText(scenarios), /^round_trip: .*\?\n {2}portCount: 1, 4, 16/m);
});
