import { type BenchName, parseBenchName } from "./bench_name.ts";
import type { Measurement } from "../record/record.ts";

/** What a conversion yields. */
export interface Converted {
  readonly measured: readonly { readonly name: BenchName; readonly measurement: Measurement }[];
  /** One sentence for each entry that failed or is none of this project's. */
  readonly problems: readonly string[];
}

/** The part of `deno bench --json` that is used; durations are in nanoseconds. */
interface BenchOutput {
  readonly benches: readonly { readonly name: string; readonly results: readonly BenchResult[] }[];
}
interface BenchResult {
  readonly ok?: { readonly n: number; readonly avg: number; readonly min: number };
  readonly failed?: { readonly message?: string };
}

/**
 * Converts the output of `deno bench --json`. It throws its samples away and keeps no median, so
 * each measurement has one value, the mean, and says so in a warning.
 *
 * @throws {SyntaxError} when the text is not such an output
 *
 * @example
 * ```ts
 * import { convertBenchOutput } from "./deno_bench_json.ts";
 * const ok = { n: 20, avg: 25_000, min: 20_000 };
 * const text = JSON.stringify({ benches: [{ name: "fill  x100", results: [{ ok }] }] });
 * const [only] = convertBenchOutput(text).measured;
 * if (only?.measurement.latencySeconds[0] !== 250e-9) throw new Error("25 µs for 100 calls");
 * ```
 */
export function convertBenchOutput(text: string): Converted {
  const measured: { name: BenchName; measurement: Measurement }[] = [];
  const problems: string[] = [];
  for (const { name: fullName, results } of parseOutput(text).benches) {
    const name = parseBenchName(fullName);
    const ok = results.find((result) => result.ok)?.ok;
    if (!name) problems.push(`"${fullName}" is not a bench of a scenario`);
    else if (ok) measured.push({ name, measurement: measurementOf(name, ok) });
    else problems.push(`"${fullName}" failed: ${results[0]?.failed?.message ?? "no result"}`);
  }
  return { measured, problems };
}

function measurementOf(
  { callsPerSample }: BenchName,
  ok: NonNullable<BenchResult["ok"]>,
): Measurement {
  const count = `${ok.n} iterations of ${callsPerSample} calls`;
  return {
    callsPerSample,
    latencySeconds: [ok.avg / 1e9 / callsPerSample],
    controlSeconds: [],
    references: {},
    warnings: [`One mean of ${count} by deno bench, which keeps no samples: no interval, no ratio`],
  };
}

function parseOutput(text: string): BenchOutput {
  const help = "give it what `deno bench --json` printed, with nothing else in it";
  let output: unknown;
  try {
    output = JSON.parse(text);
  } catch (cause) {
    throw new SyntaxError(`Cannot read the bench output as it is not JSON: ${help}`, { cause });
  }
  if (Array.isArray((output as BenchOutput | null)?.benches)) return output as BenchOutput;
  throw new SyntaxError(`Cannot read the bench output as it has no list of benches: ${help}`);
}
