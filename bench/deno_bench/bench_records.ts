import type { RunRecord } from "../record/record.ts";
import type { Scenario } from "../../scenarios/scenario.ts";
import { namedPoint } from "../sweep/plan_sweep.ts";
import { recordOf, type RunContext } from "../sweep/run_sweep.ts";
import { convertBenchOutput, type NamedMeasurement } from "./deno_bench_json.ts";
import { join } from "@std/path";
import { moduleUrlOf } from "../../scenarios/registry.ts";
import { ended } from "../machine/ended.ts";

/** Records of the points that are known, and what is none. */
export interface BenchRecords {
  /** One for each bench, with its mean as the only sample. */
  readonly records: readonly RunRecord[];
  /** One sentence for each entry that failed, or that is no point of a scenario. */
  readonly problems: readonly string[];
}

/**
 * The output of `deno bench --json` as records, which tables, charts and reports read like any others.
 *
 * @param options `context` is where and when it ran; `among` are the scenarios that were measured, those
 * of this project when absent
 * @throws {SyntaxError} when the text is not such an output
 *
 * @example
 * ```ts
 * import { sampleRecord } from "../record/testdata/sample_record.ts";
 * import { benchRecords } from "./bench_records.ts";
 * const name = "ping_pong  x1000";
 * const output = JSON.stringify({ benches: [{ name, results: [{ ok: { n: 9, avg: 1e5, min: 9e4 } }] }] });
 * const { records } = benchRecords(output, { context: sampleRecord });
 * if (records[0]?.latencySeconds[0]?.toPrecision(3) !== "1.00e-7") throw new Error("100 µs / 1000");
 * ```
 */
export function benchRecords(
  output: string,
  options: { readonly context: RunContext; readonly among?: readonly Scenario[] },
): BenchRecords {
  const { measured, problems } = convertBenchOutput(output);
  const records: RunRecord[] = [];
  const unknown: string[] = [];
  for (const one of measured) {
    const record = recordAt(one, options);
    if (typeof record === "string") unknown.push(record);
    else records.push(record);
  }
  return { records, problems: [...problems, ...unknown] };
}

/** The record, or why there is none: the floor of a scenario is often no scenario itself. */
function recordAt(
  { name, measurement }: NamedMeasurement,
  { context, ...among }: Parameters<typeof benchRecords>[1],
): RunRecord | string {
  try {
    return recordOf(namedPoint(name, among), { context, measurement });
  } catch (error) {
    return `"${`${name.scenario} ${name.pointId}`.trim()}" is no point: ${
      (error as Error).message
    }`;
  }
}

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
  const args = ["bench", ...options, "--json", ...rest];
  const { out: text } = await ended(Deno.execPath(), args);
  if (text.includes('"results"')) return text;
  const command = ["deno bench", ...options, ...rest].join(" ");
  throw new Error(`Cannot show what deno bench measured as it measured nothing: see ${command}`);
}
