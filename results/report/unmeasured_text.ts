import type { UnmeasuredPoint } from "../../bench/record/record.ts";

/** Points of one reason that are named; the others are counted. */
const POINTS_MAX = 5;

/**
 * The points of a run that have no figures, with the reason: those that the scenario skipped, then
 * those that failed.
 *
 * @example
 * ```ts
 * import { sampleUnmeasured } from "../../bench/record/testdata/sample_record.ts";
 * import { unmeasuredText } from "./unmeasured_text.ts";
 * const text = unmeasuredText([sampleUnmeasured]);
 * if (!text.startsWith("skipped: round_trip, a wave has 2 lanes")) throw new Error(text);
 * ```
 */
export function unmeasuredText(points: readonly UnmeasuredPoint[]): string {
  const sorted = points.toSorted((left, right) => right.outcome.localeCompare(left.outcome));
  const groups = Map.groupBy(
    sorted,
    ({ outcome, scenario, reason }) => `${outcome}: ${scenario}, ${reason}`,
  );
  return [...groups].map(([heading, some]) => {
    const named = some.slice(0, POINTS_MAX).map(({ pointId }) => `  ${pointId || "-"}`);
    const rest = some.length > POINTS_MAX ? [`  and ${some.length - POINTS_MAX} more`] : [];
    return [heading, ...named, ...rest].join("\n");
  }).join("\n");
}
