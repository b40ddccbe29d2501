import { assertEquals, assertNotEquals, assertThrows } from "@std/assert";
import { usualScenarios } from "../../scenarios/registry.ts";
import { scenarios } from "../registry.ts";
import { parseOptions } from "./options.ts";

Deno.test("parseOptions() of nothing is a minute of the usual scenarios", () => {
  const options = parseOptions([]);
  assertEquals(options.scenarios, usualScenarios);
  assertEquals([options.seconds, options.rounds, options.out], [60, 1, "results"]);
  assertNotEquals(parseOptions([]).seed, parseOptions([]).seed);
});

Deno.test("parseOptions() takes scenarios one by one and in a list", () => {
  const args = ["--scenario", "ping_pong,round_trip", "--scenario=ping_pong"];
  assertEquals(parseOptions(args).scenarios.map(({ name }) => name), ["ping_pong", "round_trip"]);
});

Deno.test("parseOptions() moves axes to values of their own type", () => {
  const args = ["--axis", "portCount=1,2", "--axis", "waiting=park+park"];
  assertEquals(parseOptions(args).axisValues, { portCount: [1, 2], waiting: ["park+park"] });
});

Deno.test("parseOptions() narrows a scenario to a point, by its id", () => {
  const id = "portCount=3;laneCount=8;waiting=spin+spin";
  const { scenarios: [one] } = parseOptions(["--scenario", "round_trip", "--point", id]);
  assertEquals([...one!.points!()], [{ portCount: 3, laneCount: 8, waiting: "spin+spin" }]);
});

Deno.test("parseOptions() knows the quick sweep and the sweep to publish from", () => {
  const quick = parseOptions(["--quick"]);
  assertEquals(
    quick.scenarios.map((one) => [...one.points!()].length),
    quick.scenarios.map(() => 1),
  );
  const full = parseOptions(["--full", "--seconds", "5"]);
  assertEquals([full.scenarios, full.rounds, full.seconds], [scenarios, 3, 5]);
});

Deno.test("parseOptions() names the value and the way out when something means nothing", () => {
  const wrong: Record<string, string> = {
    "--secnds 5": "no option --secnds: options are --scenario",
    "5": "no option 5",
    "--seconds fast": 'must be a number of at least 0.1: current value is "fast"',
    "--seconds 0": "at least 0.1",
    "--seconds=": "--seconds has no value",
    "--rounds 1.5": "must be a whole number",
    "--seed=-1": "at least 0",
    "--scenario round": 'scenario "round" as there is none of that name: scenarios are ping_pong',
    "--axis lanes=1": "one of portCount",
    "--axis portCount": "NAME=V1,V2",
    "--axis portCount=many": "must be a number",
    "--axis waiting=nap": "must be one of spin",
    "--point portCount=1": "exactly one --scenario",
    "--scenario round_trip --point portCount=1": 'the axis "laneCount" is missing',
    "--run-id ../x": "must be letters",
  };
  for (const [line, text] of Object.entries(wrong)) {
    assertThrows(() => parseOptions(line.split(" ")), Error, text, line);
  }
});
