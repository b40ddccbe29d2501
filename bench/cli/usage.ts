import type { Scenario } from "../../scenarios/scenario.ts";
import { FULL_ROUNDS, SECONDS } from "./options.ts";

/** What `--help` prints. */
export const USAGE = `Usage: deno task bench [options]

Sweeps the usual scenarios for about a minute, then shows a table and writes records, charts and a
report.

  --scenario NAME     only this scenario; may be given again, --list shows all
  --axis NAME=V1,V2   move every point to these values of an axis; may be given again
  --point ID          only this point of the one --scenario, by the id that records carry
  --seconds N         time for the whole sweep, ${SECONDS.usual} when absent
  --rounds N          visits of each point in fresh processes, 1 when absent
  --full              the sweep to publish from: every scenario, ${FULL_ROUNDS} rounds, ${SECONDS.full} s
  --quick             the smallest point of each scenario: does everything run?
  --seed N            repeats the order of an earlier sweep
  --out FOLDER        where raw/, pictures/ and the report go, "results" when absent
  --run-id NAME       names the files, the time of the start when absent
  --json-in FILE      convert the output of "deno bench --json" to records, measure nothing
  --from FILE         show the records of an earlier run again, measure nothing
  --list              show the scenarios with their axes
  --help              show this text
`;

/** What `--list` prints: names, questions and axes. */
export function listText(scenarios: readonly Scenario[]): string {
  return scenarios.map(({ name, question, axes }) => {
    const lines = Object.entries(axes).map(([axis, values]) => `  ${axis}: ${values.join(", ")}`);
    return [`${name}: ${question}`, ...lines].join("\n");
  }).join("\n");
}
