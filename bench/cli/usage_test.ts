import { assertEquals, assertMatch } from "@std/assert";
import { scenarios } from "../../scenarios/registry.ts";
import { parseOptions } from "./options.ts";
import { listText, USAGE } from "./usage.ts";

Deno.test("USAGE names every option that there is", () => {
  let known: string[] = [];
  try {
    parseOptions(["--none"]);
  } catch (error) {
    known = (error as Error).message.split("options are ")[1]!.split(", ");
  }
  const described = [...USAGE.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, name]) => name!);
  assertEquals(described.toSorted(), known.toSorted());
});

Deno.test("listText() shows names, questions and axes", () => {
  assertMatch(listText(scenarios), /^round_trip: .*\?\n {2}portCount: 1, 4, 16/m);
});
