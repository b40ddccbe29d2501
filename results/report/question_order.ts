import { scenarios } from "../../scenarios/registry.ts";
import type { PointSummary } from "../statistics/summary.ts";

/**
 * The names of the scenarios of some rows, in the order in which a reader wants their answers: those of
 * other modules, which were asked for by name, then this project's in the order of its list; what the
 * others are only compared with comes last.
 */
export function questionOrder(
  rows: readonly Pick<PointSummary, "scenario" | "control" | "timesFasterThan">[],
): string[] {
  const compared = new Set(
    rows.flatMap(({ scenario, control, timesFasterThan }) =>
      [control, ...Object.keys(timesFasterThan)].filter((name) => name !== scenario)
    ),
  );
  const placeOf = (name: string) =>
    (compared.has(name) ? scenarios.length : 0) + scenarios.findIndex((one) => one.name === name);
  return [...new Set(rows.map(({ scenario }) => scenario))]
    .sort((left, right) => placeOf(left) - placeOf(right));
}
