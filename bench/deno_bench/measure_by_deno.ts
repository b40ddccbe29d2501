import { join } from "@std/path";
import { moduleUrlOf } from "../../scenarios/registry.ts";
import type { Scenario } from "../../scenarios/scenario.ts";

/** Names of packages; `deno bench` would look for them in the folder of the call. */
const CONFIG = import.meta.dirname === undefined
  ? []
  : ["--config", join(import.meta.dirname, "..", "..", "deno.json")];

/**
 * Runs `deno bench --json` with every point of some scenarios, those of other modules included.
 *
 * @returns what it printed, for {@linkcode convertBenchOutput}; failed benches are in it
 * @throws {Error} when it measured nothing, as with --json it does not say why
 */
export async function measureByDeno(scenarios: readonly Scenario[]): Promise<string> {
  const names = scenarios.map((scenario) => {
    const url = moduleUrlOf(scenario);
    return url === undefined ? scenario.name : `${url}#${scenario.name}`;
  });
  const file = new URL("scenarios_bench.ts", import.meta.url).href;
  const [options, rest] = [[...CONFIG, "--allow-all", "--no-check"], [file, "--", ...names]];
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["bench", ...options, "--json", ...rest],
  }).output();
  const text = new TextDecoder().decode(stdout);
  if (text.includes('"results"')) return text;
  const command = ["deno bench", ...options, ...rest].join(" ");
  throw new Error(`Cannot show what deno bench measured as it measured nothing: see ${command}`);
}
