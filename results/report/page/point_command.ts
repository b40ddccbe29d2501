import type { PointSummary } from "../../statistics/summary.ts";
import { ROUNDS_MIN } from "../../statistics/over_rounds.ts";

/**
 * The command that measures a point again, with rounds enough for an interval.
 *
 * @example
 * ```ts
 * import { pointCommand } from "./point_command.ts";
 * const command = pointCommand({ scenario: "round_trip", pointId: "portCount=1;laneCount=1" });
 * if (!command.includes("--point 'portCount=1;laneCount=1'")) throw new Error(command);
 * ```
 */
export function pointCommand(
  { scenario, pointId }: Pick<PointSummary, "scenario" | "pointId">,
): string {
  const point = pointId === "" ? "" : ` --point ${quoted(pointId)}`;
  return `deno task bench --scenario ${quoted(scenario)}${point} --rounds ${ROUNDS_MIN}`;
}

/** For a shell: quotes where a character might mean something to it. */
function quoted(text: string): string {
  return /^[\w./:=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
