import type { PointSummary } from "../statistics/summary.ts";

const PLACES_MAX = 3;

/** The warnings that all points share: they say nothing about one of them. */
export function sharedWarnings(rows: readonly PointSummary[]): ReadonlySet<string> {
  const [first, ...others] = rows;
  if (first === undefined || others.length === 0) return new Set();
  return new Set(
    first.warnings.filter((warning) => others.every((row) => row.warnings.includes(warning))),
  );
}

/**
 * Every warning of a run with the points that it is about. Of warnings that differ in their numbers
 * only, the first is shown.
 *
 * @example
 * ```ts
 * import { sampleRecord } from "../../bench/record/testdata/sample_record.ts";
 * import { warningsText } from "./warnings_text.ts";
 * import { summarize } from "../statistics/summary.ts";
 * const text = warningsText(summarize([{ ...sampleRecord, warnings: ["It rained"] }]));
 * if (!text.includes("It rained (round_trip portCount=1")) throw new Error(text);
 * ```
 */
export function warningsText(rows: readonly PointSummary[]): string {
  const shared = sharedWarnings(rows);
  const own = rows.flatMap(({ scenario, pointId, warnings }) =>
    warnings.filter((warning) => !shared.has(warning))
      .map((warning) => ({ warning, where: `${scenario} ${pointId}`.trim() }))
  );
  const kinds = Map.groupBy(own, ({ warning }) => warning.replace(/[\d.]+( [mµn]?s\b)?/g, "#"));
  const lines = [
    ...[...shared].map((warning) => `  ${warning} (every point)`),
    ...[...kinds.values()].map((found) => `  ${found[0]!.warning} (${placesText(found)})`),
  ];
  return lines.length === 0 ? "" : ["* warnings:", ...lines, ""].join("\n");
}

/** A point counts once, however many of its rounds have the warning. */
function placesText(found: readonly { readonly where: string }[]): string {
  const places = [...new Set(found.map(({ where }) => where))];
  const named = places.slice(0, PLACES_MAX).join(", ");
  return places.length > PLACES_MAX ? `${named} and ${places.length - PLACES_MAX} more` : named;
}
