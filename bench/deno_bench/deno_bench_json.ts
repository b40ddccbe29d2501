import type { Measurement } from "../record/record.ts";

/**
 * What the name of a bench says. The name carries the number of calls too, because it is the only
 * text of ours that `deno bench --json` prints.
 */
export interface BenchName {
  readonly scenario: string;
  /** Which of its points: `portCount=1;laneCount=32`. */
  readonly pointId: string;
  /** Calls of each iteration that `deno bench` times. */
  readonly callsPerSample: number;
}

/** The name under which a point is registered with `Deno.bench`. */
export function benchName({ scenario, pointId, callsPerSample }: BenchName): string {
  return `${scenario} ${pointId} x${callsPerSample}`;
}

/** What a name says, or `undefined` when it is no name of this project. */
export function parseBenchName(text: string): BenchName | undefined {
  const match = /^(?<scenario>[a-z0-9_]+) (?<pointId>\S*) x(?<calls>[1-9]\d*)$/.exec(text);
  if (!match?.groups) return undefined;
  const { scenario, pointId, calls } = match.groups;
  return { scenario: scenario!, pointId: pointId!, callsPerSample: Number(calls) };
}

export interface Converted {
  readonly measured: readonly NamedMeasurement[];
  /** One sentence for each entry that failed or is not of this project. */
  readonly problems: readonly string[];
}

export interface NamedMeasurement {
  readonly name: BenchName;
  /** Holds one value, with a warning that it is a mean. */
  readonly measurement: Measurement;
}

/** The part of `deno bench --json` that is used; durations are in nanoseconds. */
interface BenchOutput {
  readonly benches: readonly Bench[];
}
interface Bench {
  readonly name: string;
  /** Name of the scenario, and whether the bench is its floor. */
  readonly group?: string | null;
  readonly baseline?: boolean;
  readonly results: readonly BenchResult[];
}
interface BenchResult {
  readonly ok?: { readonly n: number; readonly avg: number; readonly min: number };
  readonly failed?: { readonly message?: string };
}

/**
 * Converts the output of `deno bench --json`. It holds no samples and no median, so each measurement
 * has one value, the mean, and says so in a warning.
 *
 * @throws {SyntaxError} when the text is not such an output
 */
export function convertBenchOutput(text: string): Converted {
  const { benches } = parseOutput(text);
  const floors = new Map(benches.filter(isFloor).map((floor) => [floor.group!, floor]));
  const measured: NamedMeasurement[] = [];
  const problems: string[] = [];
  for (const bench of benches) {
    const name = parseBenchName(bench.name);
    const ok = okOf(bench);
    if (!name) problems.push(`"${bench.name}" is not a bench of a scenario`);
    else if (!ok) {
      const message = bench.results[0]?.failed?.message ?? "no result";
      problems.push(`"${bench.name}" failed: ${message}`);
    } else if (!isFloor(bench)) {
      const measurement = {
        ...measurementOf(name, ok),
        ...controlOf(floors.get(bench.group ?? "")),
      };
      measured.push({ name, measurement });
    }
  }
  return { measured, problems };
}

function isFloor({ group, baseline, name }: Bench): boolean {
  return baseline === true && typeof group === "string" && parseBenchName(name) !== undefined;
}

function okOf({ results }: Bench): BenchResult["ok"] {
  return results.find((result) => result.ok)?.ok;
}

/** The floor was measured once for all points of its scenario, and not in turn with them. */
function controlOf(floor: Bench | undefined): Partial<Measurement> {
  const ok = floor && okOf(floor);
  if (!ok) return {};
  const { scenario, callsPerSample } = parseBenchName(floor.name)!;
  return {
    control: scenario,
    controlCallsPerSample: callsPerSample,
    controlSeconds: [secondsPerCall(ok, callsPerSample)],
  };
}

function secondsPerCall({ avg }: NonNullable<BenchResult["ok"]>, callsPerSample: number): number {
  return avg / 1e9 / callsPerSample;
}

function measurementOf(
  { callsPerSample }: BenchName,
  ok: NonNullable<BenchResult["ok"]>,
): Measurement {
  const count = `${ok.n} iterations of ${callsPerSample} calls`;
  return {
    callsPerSample,
    latencySeconds: [secondsPerCall(ok, callsPerSample)],
    controlSeconds: [],
    references: {},
    warnings: [
      `One mean of ${count} by deno bench, which keeps no samples: no interval, and a floor that was ` +
      "measured at another time",
    ],
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
