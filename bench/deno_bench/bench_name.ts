/** What the name of a bench says: `deno bench --json` keeps nothing else that we choose. */
export interface BenchName {
  readonly scenario: string;
  readonly pointId: string;
  /** Calls of each iteration that `deno bench` times. */
  readonly callsPerSample: number;
}

/**
 * The name under which a point is registered with `Deno.bench`.
 *
 * @example
 * ```ts
 * import { benchName, parseBenchName } from "./bench_name.ts";
 * const name = { scenario: "fill", pointId: "byteCount=64", callsPerSample: 100 };
 * if (benchName(name) !== "fill byteCount=64 x100") throw new Error(benchName(name));
 * if (parseBenchName("fill byteCount=64 x100")?.callsPerSample !== 100) throw new Error("100");
 * ```
 */
export function benchName({ scenario, pointId, callsPerSample }: BenchName): string {
  return `${scenario} ${pointId} x${callsPerSample}`;
}

/** What a name says, or `undefined` when it is not one of this project. */
export function parseBenchName(text: string): BenchName | undefined {
  const match = /^(?<scenario>[a-z0-9_]+) (?<pointId>\S*) x(?<calls>[1-9]\d*)$/.exec(text);
  if (!match?.groups) return undefined;
  const { scenario, pointId, calls } = match.groups;
  return { scenario: scenario!, pointId: pointId!, callsPerSample: Number(calls) };
}
