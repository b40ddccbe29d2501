import { moduleUrlOf } from "../../scenarios/registry.ts";
import type { Scenario } from "../../scenarios/scenario.ts";

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
  const file = new URL("scenarios_bench.ts", import.meta.url);
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["bench", "--allow-all", "--no-check", "--json", file.href, "--", ...names],
  }).output();
  const text = new TextDecoder().decode(stdout);
  if (text.includes('"results"')) return text;
  const command = `deno bench -A bench/deno_bench/scenarios_bench.ts -- ${names.join(" ")}`;
  throw new Error(`Cannot show what deno bench measured as it measured nothing: see ${command}`);
}
