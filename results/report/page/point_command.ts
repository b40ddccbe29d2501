import { scenarios } from "../../../scenarios/registry.ts";
import type { PointSummary } from "../../statistics/summary.ts";
import { ROUNDS_MIN } from "../../statistics/over_rounds.ts";

/**
 * The command that measures a point again, with rounds enough for an interval.
 *
 * @param commandLine of the sweep: a scenario that this project does not know is a module named there
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
  commandLine: readonly string[] = [],
): string {
  const point = pointId === "" ? "" : ` --point ${quoted(pointId)}`;
  return `deno task bench --scenario ${
    quoted(moduleOf(scenario, commandLine))
  }${point} --rounds ${ROUNDS_MIN}`;
}

/** The only module that the sweep was told to measure, where the name alone says nothing. */
function moduleOf(scenario: string, commandLine: readonly string[]): string {
  if (scenarios.some(({ name }) => name === scenario)) return scenario;
  const modules = commandLine
    .flatMap((arg, at) =>
      commandLine[at - 1] === "--scenario" ? arg : /^--scenario=(.*)/.exec(arg)?.[1]
    )
    .flatMap((text) => text?.split(",") ?? [])
    .filter((text) => /[/.]/.test(text));
  return modules.length === 1 ? modules[0]! : scenario;
}

/** For a shell: quotes where a character might mean something to it. */
function quoted(text: string): string {
  return /^[\w./:=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
