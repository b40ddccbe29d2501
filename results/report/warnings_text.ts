import type { PointSummary } from "../statistics/summary.ts";
import { pointName } from "../../bench/record/record.ts";

const PLACES_MAX = 3;

/** The warnings that all points share: they say nothing about one of them. */
export function sharedWarnings(rows: readonly PointSummary[]): ReadonlySet<string> {
  const [first, ...others] = rows;
  if (first === undefined || others.length === 0) return new Set();
  return new Set(
    first.warnings.filter((warning) => others.every((row) => row.warnings.includes(warning))),
  );
}

/** A number, with the unit of a time where it has one. */
const NUMBER = /\d+(?:\.\d+)*(?: [mµn]?s\b)?/g;
const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, ms: 1e-3, "µs": 1e-6, ns: 1e-9 };

/**
 * Warnings by their kinds, which differ in their numbers only: which of several numbers is the worst
 * depends on the warning, so the least and the most are told, `12..100 %`.
 */
export function warningKinds<Found extends { readonly warning: string }>(
  all: readonly Found[],
): { readonly text: string; readonly found: readonly Found[] }[] {
  const kinds = Map.groupBy(all, ({ warning }) => warning.replace(NUMBER, "#"));
  return [...kinds.values()].map((found) => {
    const numbers = found.map(({ warning }) => warning.match(NUMBER) ?? []);
    let at = 0;
    const text = found[0]!.warning.replace(NUMBER, () => rangeOf(numbers, at++));
    return { text, found };
  });
}

function rangeOf(numbers: readonly (readonly string[])[], at: number): string {
  const sorted = numbers.map((some) => some[at]!).sort((left, right) =>
    sizeOf(left) - sizeOf(right)
  );
  const [least, most] = [sorted[0]!, sorted.at(-1)!];
  return sizeOf(least) === sizeOf(most) ? least : `${least}..${most}`;
}

function sizeOf(number: string): number {
  const [value, unit] = number.split(" ");
  return parseFloat(value!) * (unit === undefined ? 1 : UNIT_SECONDS[unit]!);
}

/** Every warning of a run with the points that it is about, once for each kind. */
export function warningsText(rows: readonly PointSummary[]): string {
  const shared = sharedWarnings(rows);
  const own = rows.flatMap((row) =>
    row.warnings.filter((warning) => !shared.has(warning))
      .map((warning) => ({ warning, where: pointName(row) }))
  );
  const lines = [
    ...[...shared].map((warning) => `  ${warning} (every point)`),
    ...warningKinds(own).map(({ text, found }) => `  ${text} (${placesText(found)})`),
  ];
  return lines.length === 0 ? "" : ["* warnings:", ...lines, ""].join("\n");
}

/** A point counts once, however many of its rounds have the warning. */
function placesText(found: readonly { readonly where: string }[]): string {
  const places = [...new Set(found.map(({ where }) => where))];
  const named = places.slice(0, PLACES_MAX).join(", ");
  return places.length > PLACES_MAX ? `${named} and ${places.length - PLACES_MAX} more` : named;
}
