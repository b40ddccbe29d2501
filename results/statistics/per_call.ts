import { scenarios } from "../../scenarios/registry.ts";
import type { Scenario } from "../../scenarios/scenario.ts";
import { scaled } from "./ratio.ts";
import type { PointSummary } from "./summary.ts";

/**
 * The same with the time of a turn shared out over its calls, where a scenario makes several at once:
 * an epoch of 4096 waves is 4096 calls.
 *
 * @param among the scenarios that the row may be of; those of this project when absent
 *
 * @example
 * ```ts
 * import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";
 * import { perCall } from "./per_call.ts";
 * import { summarize } from "./summary.ts";
 * const [row] = summarize([sampleRecord]);
 * if (perCall(row!) !== row) throw new Error("a round trip is one call");
 * ```
 */
export function perCall(row: PointSummary, among: readonly Scenario[] = scenarios): PointSummary {
  const scenario = among.find(({ name }) => name === row.scenario);
  const callCount = scenario?.callsPerTurn?.(row.point) ?? 1;
  if (callCount === 1) return row;
  const { latencySeconds, callsPerSecond, controlSeconds } = row;
  return {
    ...row,
    latencySeconds: scaled(latencySeconds, 1 / callCount),
    callsPerSecond: scaled(callsPerSecond, callCount),
    ...(controlSeconds && { controlSeconds: scaled(controlSeconds, 1 / callCount) }),
  };
}
