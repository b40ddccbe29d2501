import type { Scenario } from "../../../scenarios/scenario.ts";
import { countText, durationText, pointName } from "../../record/record.ts";
import { fittingVisits, sweepSecondsOf, type SweepTime, visitId } from "../../sweep/run_sweep.ts";
import { type CommandOptions, usageText } from "./command_options.ts";
import { type PlannedPoint, planSweep, type SweepOptions } from "../../sweep/plan_sweep.ts";

/** Time of a whole sweep, in seconds, when the command line does not say it. */
export const SECONDS = { usual: 40, chosen: 60, full: 900, quick: 2 } as const;
/** Visits of each point in the sweep of a minute, for {@linkcode SECONDS}.usual. */
export const USUAL_ROUNDS = 3;
/** Visits of each point in a sweep to publish from: the least that an interval can be made of. */
export const FULL_ROUNDS = 5;

/** Every option of the command line, by its name without the dashes. */
export const OPTIONS = {
  scenario: {
    value: "NAME",
    isList: true,
    help: "only this scenario, or those of a module: ./mine.ts, https://...; --list shows all",
  },
  axis: {
    value: "NAME=V1,V2",
    isList: true,
    help: "visit every point with these values of an axis; 1..4096x4 and 1..9+4 are ranges",
  },
  filter: { value: "TEXT", help: 'only points whose name, "round_trip portCount=1", contains it' },
  point: {
    value: "ID",
    help: "only this point of the one --scenario, by the id that records carry",
  },
  shard: { value: "I/N", help: "only the Ith of N parts; the parts are joined by deno task merge" },
  budget: {
    value: "TIME",
    help: "time for the whole sweep, such as 90s or 2m: no point begins after it",
  },
  seconds: {
    value: "N",
    help:
      `time to share out among all points in place of a budget, ${SECONDS.chosen} of what is chosen; each has 0.1 s at least`,
  },
  stop: {
    value: "RULES",
    help: "what ends a point early: precision (when absent), noise, or budget for nothing",
  },
  precision: { value: "N%", help: "standard error that counts as precise, 0.5% when absent" },
  rounds: {
    value: "N",
    help: `visits of each point in fresh processes, 1 of what is chosen, else ${USUAL_ROUNDS}`,
  },
  full: {
    help: `the sweep to publish from: every scenario, ${FULL_ROUNDS} rounds, ${SECONDS.full} s`,
  },
  quick: { help: "the smallest point of each scenario: does everything run?" },
  "dry-run": { help: "show the points, those that are skipped, and an estimate of the time" },
  against: {
    value: "WHAT",
    help:
      "measure beside a commit (HEAD~1) or another module (./old.ts), in turn, and say which is slower",
  },
  "fail-above": { value: "N%", help: "with --against: how much slower may be, 0% when absent" },
  "same-within": { value: "N%", help: "with --against: what counts as the same, 2% when absent" },
  "put-in": {
    value: "N%",
    help: "with --against: the slowdown that must be found, 5% when absent",
  },
  seed: { value: "N", help: "repeats the order of an earlier sweep" },
  detail: { help: "show every point, with its warnings, single calls and why it ended" },
  targets: { help: "judge the figures that scenarios are meant to reach" },
  format: { value: "NAMES", help: "show data in place of text: table, markdown, csv, json" },
  out: {
    value: "FOLDER",
    help: 'where raw/ and pictures/ go, "results" when absent; with PNG of the charts when given',
  },
  "run-id": { value: "NAME", help: "names the files, the time of the start when absent" },
  resume: { value: "FILE", help: "go on with a sweep that was ended; repeats no point" },
  "deno-bench": {
    help: "measure by deno bench, which keeps means only, and show what it printed as above",
  },
  "json-in": {
    value: "FILE",
    help: 'convert the output of "deno bench --json" to records, measure nothing',
  },
  from: { value: "FILE", help: "show an earlier run's records again; draw charts with --out only" },
  list: { help: "show the scenarios with their axes" },
} as const satisfies CommandOptions;

export type OptionName = keyof typeof OPTIONS;

/** What `--help` prints. */
export const USAGE = usageText({
  usage: ["deno task bench [options]"],
  does:
    `Sweeps the usual scenarios for ${SECONDS.usual} s, then shows what they say on one screen and writes records
and a page with charts. A scenario is a question with axes; a point has one value of each axis, and is measured in a
process of its own, in turn with the scenario's floor.`,
  options: OPTIONS,
  ends: `Examples:
  deno task bench --list                                   which questions are there?
  deno task bench --scenario round_trip --axis laneCount=1,32 --axis portCount=1..4096x4 --dry-run
  deno task bench --scenario round_trip --point "portCount=1;laneCount=1;waiting=spin+spin"
  deno task bench --scenario ./mine.ts --budget 30s        a scenario of your own; ./mine.ts#fill is one
                                                           of several in a module
  deno task bench --against HEAD --scenario round_trip --filter "portCount=64;laneCount=1"
  deno task bench --full --run-id monday --shard 1/4       a quarter of everything
  deno task bench --resume results/raw/monday_1of4.jsonl   after Ctrl-C, or when the disk was full

It ends with 0, with 1 when a point failed, a line could not be read, or --against found a slower one,
with 2 when nothing was done, as the command line or a file is wrong, with 3 when --against decided
nothing, and with 130 or 143 when it was stopped.

How a point ends: when the standard error of its median is small (precise), when its noise no longer
changes (settled, with --stop noise), when it has enough samples, or when its time is over. Records
say which, and what was doubtful: --detail shows it.`,
});

/** What `--list` prints: names, questions and axes. */
export function listText(scenarios: readonly Scenario[]): string {
  return scenarios.map(({ name, question, axes }) => {
    const lines = Object.entries(axes).map(([axis, values]) => `  ${axis}: ${values.join(", ")}`);
    return [`${name}: ${question}`, ...lines].join("\n");
  }).join("\n");
}

/** Why a sweep has no point, and what would have one. */
export function emptyPlanText(
  { scenarios, filter, shard, axisValues }: Omit<SweepOptions, "seed" | "rounds"> & {
    readonly scenarios: readonly Scenario[];
  },
): string {
  const all = planSweep(scenarios, { seed: 0, rounds: 1, ...axisValues && { axisValues } });
  const left = all.filter((planned) => nameOf(planned).includes(filter ?? ""));
  if (left.length > 0) {
    return `Cannot sweep as shard ${shard?.index} of ${shard?.count} holds no point: there are ` +
      `${left.length} in all`;
  }
  return `Cannot sweep as no point contains the text of --filter: current value is "${filter}", and ` +
    `a point is such as "${all.slice(0, 1).map(nameOf)}"`;
}

/** What `--dry-run` prints: the points in their order, those that are skipped, the time. */
export function dryRunText(
  plan: readonly PlannedPoint[],
  { visited, ...time }: SweepTime & { readonly visited: ReadonlySet<string> },
): string {
  const { skipped = [], visits = [] } = Object.groupBy(
    plan,
    ({ skipReason }) => skipReason === undefined ? "visits" : "skipped",
  );
  const left = leftOf(visits, visited);
  const madeCount = visits.length - left.length;
  const scenarioOf = ({ scenario }: PlannedPoint) => scenario;
  const seconds = sweepSecondsOf(visits.map(scenarioOf), { ...time, of: left.map(scenarioOf) });
  return [
    ...left.map(nameOf),
    ...skipped.map((point) => `skipped: ${nameOf(point)}, ${point.skipReason}`),
    `${countText(left.length, "visit")} of points${
      madeCount === 0 ? "" : `, ${madeCount} made before`
    }, ` +
    `${countText(skipped.length, "point")} skipped, about ${durationText(seconds)} or less`,
    shortTimeText(plan, { visited, ...time }) ?? [],
  ].flat().join("\n");
}

/** What does not fit into a time that is hard; nothing where all does. */
export function shortTimeText(
  plan: readonly PlannedPoint[],
  { visited, ...time }: SweepTime & { readonly visited: ReadonlySet<string> },
): string | undefined {
  const left = leftOf(plan.filter(({ skipReason }) => skipReason === undefined), visited);
  const fitting = fittingVisits(time);
  if (!time.isTimeHard || left.length <= fitting) return undefined;
  return `About ${fitting} of ${left.length} visits fit into ${
    durationText(time.seconds)
  }: the sweep ` +
    "stops then, and --resume goes on with the others";
}

/** The visits of a plan that were not made before. */
export function leftOf(
  plan: readonly PlannedPoint[],
  visited: ReadonlySet<string>,
): PlannedPoint[] {
  return plan.filter((one) => !visited.has(visitId({ ...one, scenario: one.scenario.name })));
}

export function nameOf({ scenario: { name }, pointId }: PlannedPoint): string {
  return pointName({ scenario: name, pointId });
}
