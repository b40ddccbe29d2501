// Registers scenarios with `deno bench`: the usual ones, or those that are named after `--`, your own
// modules by their paths or URLs:
//
//   deno bench -A bench/deno_bench/scenarios_bench.ts -- round_trip ./mine.ts
//
// A new scenario needs nothing here. The scenarios of one run share an isolate, in which code that
// was compiled for one of them may slow the next: to compare figures, name one scenario a run.
import { usualScenarios } from "../../scenarios/registry.ts";
import { chooseScenarios } from "../sweep/choose_scenarios.ts";
import { registerBenches } from "./register_benches.ts";

const named = await chooseScenarios(Deno.args);
await registerBenches(...named.length > 0 ? named : usualScenarios);
