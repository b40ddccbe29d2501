import type { Scenario } from "../../scenarios/scenario.ts";

/** Time of a whole sweep, in seconds, when the command line does not say it. */
export const SECONDS = { usual: 60, full: 900, quick: 2 } as const;
/** Visits of each point in a sweep to publish from. */
export const FULL_ROUNDS = 3;

/** What the command line takes. */
interface Option {
  /** What the value is called; absent when the option takes none. */
  readonly value?: string;
  /** Whether it may be given several times. */
  readonly isList?: boolean;
  readonly help: string;
}

/** Every option of the command line, by its name without the dashes. */
export const OPTIONS = {
  scenario: {
    value: "NAME",
    isList: true,
    help: "only this scenario; may be given again, --list shows all",
  },
  axis: {
    value: "NAME=V1,V2",
    isList: true,
    help: "visit every point with these values of an axis; may be given again",
  },
  point: {
    value: "ID",
    help: "only this point of the one --scenario, by the id that records carry",
  },
  seconds: { value: "N", help: `time for the whole sweep, ${SECONDS.usual} when absent` },
  rounds: { value: "N", help: "visits of each point in fresh processes, 1 when absent" },
  full: {
    help: `the sweep to publish from: every scenario, ${FULL_ROUNDS} rounds, ${SECONDS.full} s`,
  },
  quick: { help: "the smallest point of each scenario: does everything run?" },
  seed: { value: "N", help: "repeats the order of an earlier sweep" },
  out: {
    value: "FOLDER",
    help: 'where raw/, pictures/ and the report go, "results" when absent',
  },
  "run-id": { value: "NAME", help: "names the files, the time of the start when absent" },
  "json-in": {
    value: "FILE",
    help: 'convert the output of "deno bench --json" to records, measure nothing',
  },
  from: { value: "FILE", help: "show the records of an earlier run again, measure nothing" },
  list: { help: "show the scenarios with their axes" },
  help: { help: "show this text" },
} as const satisfies Record<string, Option>;

/** Name of an option. */
export type OptionName = keyof typeof OPTIONS;

const HELP_COLUMN = 22;

/** What `--help` prints. */
export const USAGE = `Usage: deno task bench [options]

Sweeps the usual scenarios for about a minute, then shows a table and writes records, charts and a
report.

${Object.entries<Option>(OPTIONS).map(usageLine).join("\n")}
`;

function usageLine([name, { value = "", help }]: [string, Option]): string {
  return `  --${name} ${value}`.padEnd(HELP_COLUMN) + help;
}

/** What `--list` prints: names, questions and axes. */
export function listText(scenarios: readonly Scenario[]): string {
  return scenarios.map(({ name, question, axes }) => {
    const lines = Object.entries(axes).map(([axis, values]) => `  ${axis}: ${values.join(", ")}`);
    return [`${name}: ${question}`, ...lines].join("\n");
  }).join("\n");
}
