import type { RunRecord } from "../record/record.ts";
import { namedPoint, type PlannedPoint } from "../sweep/plan_sweep.ts";
import { recordOf, type RunContext } from "../sweep/run_sweep.ts";
import { type BenchName, convertBenchOutput } from "./deno_bench_json.ts";

/** Records of the points that this project knows, and what is none. */
export interface BenchRecords {
  /** One for each bench, with its mean as the only sample. */
  readonly records: readonly RunRecord[];
  /** One sentence for each entry that failed, or that is no point of a scenario. */
  readonly problems: readonly string[];
}

/**
 * The output of `deno bench --json` as records, which tables, charts and reports read like any others.
 *
 * @param options `context` is where and when it ran
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
  { context }: { readonly context: RunContext },
): BenchRecords {
  const { measured, problems } = convertBenchOutput(output);
  const records: RunRecord[] = [];
  const unknown: string[] = [];
  for (const { name, measurement } of measured) {
    const planned = plannedPoint(name);
    if (typeof planned === "string") unknown.push(planned);
    else records.push(recordOf(planned, { context, measurement }));
  }
  return { records, problems: [...problems, ...unknown] };
}

/** The point of a name, or why there is none: the floor of a scenario is often no scenario itself. */
function plannedPoint(name: BenchName): PlannedPoint | string {
  try {
    return namedPoint(name);
  } catch (error) {
    return `"${`${name.scenario} ${name.pointId}`.trim()}" is no point: ${
      (error as Error).message
    }`;
  }
}
