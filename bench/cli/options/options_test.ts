import { assertEquals, assertNotEquals, assertRejects } from "@std/assert";
import { scenarios, usualScenarios } from "../../../scenarios/registry.ts";
import { parseOptions } from "./options.ts";
import { join } from "@std/path";
import { ended } from "../../machine/ended.ts";

Deno.test("parseOptions() of nothing is a minute of the usual scenarios", async () => {
  const options = await parseOptions([]);
  assertEquals(options.scenarios, usualScenarios);
  assertEquals([options.isUsual, options.isTimeHard, options.out], [true, true, "results"]);
  assertEquals([options.seconds, options.rounds], [40, 3]);
  const thorough = await parseOptions(["--rounds", "9"]);
  assertEquals([thorough.seconds, thorough.rounds], [120, 9]);
  const chosen = await parseOptions(["--axis", "laneCount=1"]);
  assertEquals([chosen.isUsual, chosen.isTimeHard, chosen.seconds], [false, false, 60]);
  assertNotEquals(options.seed, (await parseOptions([])).seed);
});

Deno.test("parseOptions() takes scenarios one by one and in a list", async () => {
  const args = ["--scenario", "ping_pong,round_trip", "--scenario=ping_pong"];
  const { scenarios: chosen } = await parseOptions(args);
  assertEquals(chosen.map(({ name }) => name), ["ping_pong", "round_trip"]);
});

Deno.test("parseOptions() moves axes to values of their own type", async () => {
  const args = ["--axis", "portCount=1,2", "--axis", "waiting=park+park"];
  assertEquals((await parseOptions(args)).axisValues, {
    portCount: [1, 2],
    waiting: ["park+park"],
  });
});

Deno.test("parseOptions() narrows a scenario to a point, by its id", async () => {
  const id = "portCount=3;laneCount=8;waiting=spin+spin";
  const turned = id.split(";").toReversed().join(";");
  const { pointId } = await parseOptions(["--scenario", "round_trip", "--point", turned]);
  assertEquals(pointId, id);
});

Deno.test("parseOptions() knows the quick sweep and the sweep to publish from", async () => {
  const quick = await parseOptions(["--quick"]);
  assertEquals([quick.isQuick, quick.isTimeHard, quick.scenarios], [true, false, usualScenarios]);
  const full = await parseOptions(["--full", "--seconds", "5"]);
  assertEquals([full.scenarios, full.rounds, full.seconds], [scenarios, 5, 5]);
  const { isTimeHard } = await parseOptions(["--budget", "5s"]);
  assertEquals([full.isTimeHard, isTimeHard], [false, true]);
});

Deno.test("parseOptions() names the value and the way out when something means nothing", async () => {
  const wrong: Record<string, string> = {
    "--secnds 5": 'the nearest is "--seconds"',
    "round_trip": "round_trip is no option: try --scenario round_trip, or see --help",
    "a.jsonl": "a.jsonl is no option: try --from a.jsonl",
    "--seconds fast": 'must be a number of at least 0.1: current value is "fast"',
    "--seconds 0": "at least 0.1",
    "--seconds=": "--seconds has no value",
    "--rounds 1.5": "must be a whole number",
    "--seed=-1": "at least 0",
    "--scenario round": 'scenario "round" as there is none of that name: scenarios are ping_pong',
    "--axis lanes=1": "one of portCount",
    "--axis portCount": "must be portCount=V1,V2, with a value at least",
    "--axis portCount=many": "must be a number",
    "--axis waiting=nap": "must be one of spin",
    "--point portCount=1": "exactly one --scenario",
    "--scenario round_trip --point portCount=1": 'the axis "laneCount" is missing',
    "--run-id ../x": "must be letters",
    "--budget 2": "such as 90s, 2m",
    "--budget 2m --seconds 5": "Cannot use --seconds beside --budget",
    "--stop precision,noies": 'the nearest is "noise"',
    "--precision 5": 'at least 0.01% and less than 100%: current value is "5"',
    "--precision 0%": "at least 0.01%",
    "--precision 500%": "less than 100%",
    "--scenario round_trip --point a=1 --axis laneCount=1": "Cannot use --axis beside --point",
    "--deno-bench --axis laneCount=1":
      "Cannot use --axis beside --deno-bench as it would do nothing",
    "--from a --filter b":
      "what goes with that is --scenario, --out, --detail, --targets, --format",
    "--json-in a --dry-run": "Cannot use --dry-run beside --json-in",
    "--budget 0s": 'such as 90s, 2m or 1h30m, at least 100ms: current value is "0s"',
    "--shard 0/4": "from 1/N to N/N",
    "--format cvs": 'the nearest is "csv"',
    "--axis laneCont=1": 'the nearest is "laneCount"',
    "--scenario https://": 'from "https://" as it must be a path or a whole URL',
    "--scenario round_trip,": "gpu_packet, gpu_server",
    "--scenario ./none.ts": "Cannot load scenarios from file:",
  };
  for (const [line, text] of Object.entries(wrong)) {
    await assertRejects(() => parseOptions(line.split(" ")), Error, text, line);
  }
});

Deno.test("parseOptions() takes a module for a scenario, by its path", async () => {
  const path = new URL("../../sweep/testdata/misbehaving.ts", import.meta.url).pathname;
  const { scenarios: chosen } = await parseOptions(["--scenario", `${path},ping_pong`]);
  assertEquals(chosen.map(({ name }) => name), ["misbehaving", "ping_pong"]);
});

Deno.test("parseOptions() knows which part of a sweep, for how long, until when, shown how", async () => {
  const line = "--filter lane --shard 2/3 --budget 2m --stop noise,budget --precision 1% " +
    "--format csv,json --dry-run --resume a.jsonl";
  const { filter, shard, seconds, stopRules, relativeErrorMax, formats, isDryRun, resume } =
    await parseOptions(line.split(" "));
  assertEquals([filter, shard, seconds], ["lane", { index: 2, count: 3 }, 120]);
  assertEquals([stopRules, relativeErrorMax], [["noise", "budget"], 0.01]);
  assertEquals([formats, isDryRun, resume], [["csv", "json"], true, "a.jsonl"]);
});

Deno.test("tasks take paths from the folder where they are called", async () => {
  // Of a task that runs these tests, whose folder would be taken for this one's.
  const { INIT_CWD: _, ...env } = Deno.env.toObject();
  const task = async (name: string, ...args: readonly string[]) => {
    const cwd = new URL("../../../results/raw", import.meta.url);
    const options = { cwd, clearEnv: true, env };
    return (await ended(Deno.execPath(), ["task", "--quiet", name, ...args], options)).out;
  };
  const mine = join("..", "..", "notebooks", "copy_bytes.ts");
  const shown = await Promise.all([
    task("bench", "--list", "--scenario", mine),
    task("compare", "--baseline", "mpi_call", "mpi_call.jsonl"),
  ]);
  assertEquals(shown.map((text) => text.split(/[: ]/)[0]), ["copy_bytes", "point"]);
});
