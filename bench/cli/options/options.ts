import { parseArgs } from "@std/cli/parse-args";
import { type AxisValue, parsePointId, pointId } from "../../../scenarios/axis.ts";
import { scenarios as allScenarios, usualScenarios } from "../../../scenarios/registry.ts";
import type { Scenario } from "../../../scenarios/scenario.ts";
import { ROW_FORMATS, type RowFormat } from "../../../results/export/rows_text.ts";
import { STOP_RULES, type StopRule } from "../../sample/stopping.ts";
import { chooseScenarios } from "../../sweep/choose_scenarios.ts";
import type { Shard } from "../../sweep/plan_sweep.ts";
import { refuseOthers, write } from "../command_line.ts";
import { resultsFolder } from "./results_folder.ts";
import {
  axisValuesOf,
  durationSecondsOf,
  integerOf,
  namesOf,
  numberOf,
  runIdOf,
  SECONDS_MIN,
  shardOf,
  shareOf,
} from "./option_values.ts";
import { FULL_ROUNDS, type OptionName, OPTIONS, SECONDS } from "./usage.ts";

/** What the command line asks for. */
export interface BenchOptions {
  readonly isHelp: boolean;
  readonly isList: boolean;
  /** Whether to show the points and an estimate of the time only. */
  readonly isDryRun: boolean;
  /** Whether the sweep only has to show that everything runs: very little time for each point. */
  readonly isQuick: boolean;
  readonly scenarios: readonly Scenario[];
  /** The id of the only point of the only scenario. */
  readonly pointId?: string;
  readonly axisValues: Readonly<Record<string, readonly AxisValue[]>>;
  readonly filter?: string;
  readonly shard?: Shard;
  /** For the whole sweep. */
  readonly seconds: number;
  /** Whether no point may begin when that time is over. */
  readonly isTimeHard: boolean;
  readonly rounds: number;
  readonly stopRules: readonly StopRule[];
  readonly relativeErrorMax?: number;
  readonly seed: number;
  /** The folder for `raw/`, `pictures/` and the report. */
  readonly out: string;
  /** Whether charts and a report are written. */
  readonly isPublished: boolean;
  /** How the figures are shown. */
  readonly formats: readonly RowFormat[];
  readonly runId?: string;
  /** Records of a sweep to go on with. */
  readonly resume?: string;
  /** Whether `deno bench` is to measure. */
  readonly isDenoBench: boolean;
  /** Output of `deno bench --json` to convert, instead of a sweep. */
  readonly jsonIn?: string;
  /** Records of an earlier run to show again, instead of a sweep. */
  readonly from?: string;
}

const NAMES = Object.keys(OPTIONS) as OptionName[];
const FLAGS = NAMES.filter((name) => !("value" in OPTIONS[name]));
const LIST_NAMES = NAMES.filter((name) => "isList" in OPTIONS[name]);
const STRINGS = NAMES.filter((name) => !FLAGS.includes(name) && !LIST_NAMES.includes(name));
/** Options that may be given several times, as they are written. */
export const LISTS: readonly string[] = LIST_NAMES.map((name) => `--${name}`);

/** What there is in place of a sweep, with the options that go with it: others would do nothing. */
const INSTEAD: readonly (readonly [name: OptionName, others: readonly OptionName[]])[] = [
  ["deno-bench", ["scenario", "full", "out", "run-id", "format"]],
  ["json-in", ["scenario", "out", "run-id", "format"]],
  ["from", ["scenario", "out", "format"]],
];

type Given = Readonly<Record<OptionName, string & string[] & boolean>>;

/**
 * Reads the command line, and loads the modules of scenarios that it names.
 *
 * @throws {SyntaxError} for an option, a value or a combination that means nothing
 * @throws {RangeError} for a scenario that does not exist
 * @throws {TypeError} for a module that has none
 */
export async function parseOptions(args: readonly string[]): Promise<BenchOptions> {
  const given = parseArgs(args, {
    string: [...STRINGS, ...LIST_NAMES],
    boolean: [...FLAGS],
    collect: [...LIST_NAMES],
    unknown: (arg) => refuseOthers(NAMES.map((name) => `--${name}`))(arg, arg), // files, too
  }) as unknown as Given;
  for (const name of STRINGS) refuseEmpty(name, given[name]);
  refuseIdle(given);
  const chosen = await chosenScenarios(given.scenario, given.full || given.list);
  const axisValues = axisValuesOf(chosen, given.axis);
  if (given.point !== undefined && Object.keys(axisValues).length > 0) {
    throw new SyntaxError("Cannot use --axis beside --point as an id has a value of each axis");
  }
  return {
    isHelp: given.help,
    isList: given.list,
    isDryRun: given["dry-run"],
    isQuick: given.quick,
    isDenoBench: given["deno-bench"],
    scenarios: chosen,
    ...(given.point !== undefined && { pointId: pointIdOf(chosen, given.point) }),
    axisValues,
    seconds: secondsOf(given),
    isTimeHard: given.budget !== undefined,
    rounds: integerOf("rounds", given.rounds ?? `${given.full ? FULL_ROUNDS : 1}`, { min: 1 }),
    stopRules: namesOf("stop", { text: given.stop ?? "precision", known: STOP_RULES }),
    seed: integerOf("seed", given.seed ?? `${randomSeed()}`, { min: 0 }),
    out: given.out ?? resultsFolder(),
    // The charts that were drawn of an earlier run are not drawn anew unless somebody says where.
    isPublished: given.from === undefined || given.out !== undefined,
    formats: namesOf("format", { text: given.format ?? "table", known: ROW_FORMATS }),
    ...present(given),
  };
}

/** What is absent from the options when the command line does not name it. */
function present(given: Given): Partial<BenchOptions> {
  return {
    ...(given.filter !== undefined && { filter: given.filter }),
    ...(given.shard !== undefined && { shard: shardOf(given.shard) }),
    ...(given.precision !== undefined && {
      relativeErrorMax: shareOf("precision", given.precision, { min: 0.0001 }),
    }),
    ...(given["run-id"] !== undefined && { runId: runIdOf(given["run-id"]) }),
    ...(given.resume !== undefined && { resume: given.resume }),
    ...(given["json-in"] !== undefined && { jsonIn: given["json-in"] }),
    ...(given.from !== undefined && { from: given.from }),
  };
}

function secondsOf({ seconds, budget, quick, full }: Given): number {
  const usual = SECONDS[quick ? "quick" : full ? "full" : "usual"];
  if (budget === undefined) return numberOf("seconds", seconds ?? `${usual}`, { min: SECONDS_MIN });
  if (seconds === undefined) return durationSecondsOf("budget", budget);
  throw new SyntaxError("Cannot use --seconds beside --budget as both say the time of the sweep");
}

function refuseEmpty(name: string, text: string | undefined): void {
  if (text === undefined || text.trim() !== "") return;
  throw new SyntaxError(`Cannot read the command line as --${name} has no value`);
}

function refuseIdle(given: Given): void {
  const [name, others = []] = INSTEAD.find(([name]) => given[name]) ?? [];
  if (name === undefined || given.help || given.list) return;
  const idle = NAMES.find((other) =>
    [given[other]].flat().some(Boolean) && other !== name && !others.includes(other)
  );
  if (idle === undefined) return;
  throw new SyntaxError(
    `Cannot use --${idle} beside --${name} as it would do nothing: what goes with that is ${
      others.map((other) => `--${other}`).join(", ")
    }`,
  );
}

async function chosenScenarios(
  names: readonly string[],
  isEverything: boolean,
): Promise<readonly Scenario[]> {
  const wanted = names.flatMap((text) => text.startsWith("data:") ? text : text.split(","));
  if (wanted.length === 0) return isEverything ? allScenarios : usualScenarios;
  const tell = (text: string) => write(Deno.stderr, `${text}\n`);
  return await chooseScenarios(wanted, { tell });
}

/** As records carry it: the axes in their order. */
function pointIdOf(scenarios: readonly Scenario[], id: string): string {
  const [scenario] = scenarios;
  if (scenario === undefined || scenarios.length > 1) {
    throw new SyntaxError("Cannot use --point without exactly one --scenario, whose point it is");
  }
  return pointId(scenario.axes, parsePointId(scenario.axes, id));
}

function randomSeed(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0]!;
}
