import { type AxisValue, parsePointId, pointId } from "../../../scenarios/axis.ts";
import { scenarios as allScenarios, usualScenarios } from "../../../scenarios/registry.ts";
import type { Scenario } from "../../../scenarios/scenario.ts";
import { ROW_FORMATS, type RowFormat } from "../../../results/export/rows_text.ts";
import { STOP_RULES, type StopRule } from "../../sample/stopping.ts";
import { chooseScenarios } from "../../sweep/choose_scenarios.ts";
import type { Shard } from "../../sweep/plan_sweep.ts";
import { write } from "../command_line.ts";
import { COMPARE_CONFIDENCE, SAME_WITHIN } from "../../../results/statistics/compare.ts";
import { axisValuesOf } from "./axis_values.ts";
import { type ReadOptions, readOptions } from "./command_options.ts";
import {
  durationSecondsOf,
  integerOf,
  namesOf,
  numberOf,
  resultsFolder,
  runIdOf,
  SECONDS_MIN,
  shardOf,
  shareOf,
} from "./option_values.ts";
import { FULL_ROUNDS, type OptionName, OPTIONS, SECONDS, USUAL_ROUNDS } from "./usage.ts";
import { ROUNDS_MIN } from "../../../results/statistics/over_rounds.ts";

export interface BenchOptions {
  readonly isHelp: boolean;
  readonly isList: boolean;
  /** Whether the command line says which points are meant. */
  readonly isChosen: boolean;
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
  /** Whether the sweep is the one of a minute, of which nobody chose anything. */
  readonly isUsual: boolean;
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
  /** Whether a report is written. */
  readonly isPublished: boolean;
  /** Whether its charts are written as pictures, too. */
  readonly isDrawn: boolean;
  /** Whether all that records say is shown; a screen of it when not. */
  readonly isDetailed: boolean;
  /** Whether the targets of scenarios are judged. */
  readonly areTargetsTold: boolean;
  /** In place of text: none when absent. */
  readonly formats: readonly RowFormat[];
  readonly runId?: string;
  /** Records of a sweep to go on with. */
  readonly resume?: string;
  readonly isDenoBench: boolean;
  /** Output of `deno bench --json` to convert, instead of a sweep. */
  readonly jsonIn?: string;
  /** Records of an earlier run to show again, instead of a sweep. */
  readonly from?: string;
  /** What to measure beside, instead of a sweep. */
  readonly against?: AgainstOptions;
}

/** How two forms of the same scenarios are judged. */
export interface AgainstOptions {
  /** A commit, or the path or URL of a module. */
  readonly what: string;
  /** Shares of 1: how much slower may be, and what counts as the same. */
  readonly failAbove: number;
  readonly sameWithin: number;
  /** The share of work that is put in, and must be found. */
  readonly putInShare: number;
  readonly confidence: number;
  readonly roundsMax: number;
}

const NAMES = Object.keys(OPTIONS) as OptionName[];
/** Options that may be given several times, as they are written. */
export const LISTS: readonly string[] = NAMES.filter((name) => "isList" in OPTIONS[name])
  .map((name) => `--${name}`);

/** How figures are shown. */
const SHOWN = ["detail", "targets", "format"] as const;

/** What there is in place of a sweep, with the options that go with it: others would do nothing. */
const INSTEAD: readonly (readonly [name: OptionName, others: readonly OptionName[]])[] = [
  ["deno-bench", ["scenario", "full", "out", "run-id", ...SHOWN]],
  ["json-in", ["scenario", "out", "run-id", ...SHOWN]],
  ["from", ["scenario", "out", ...SHOWN]],
  ["against", [
    ...[
      "scenario",
      "axis",
      "filter",
      "point",
      "budget",
      "seconds",
      "rounds",
      "seed",
      "out",
    ] as const,
    ...["run-id", "fail-above", "same-within", "put-in"] as const,
  ]],
];
/** What says nothing without another one. */
const AGAINST_ONLY = ["fail-above", "same-within", "put-in"] as const;

type Given = ReadOptions<typeof OPTIONS>["given"];

/**
 * Reads the command line, and loads the modules of scenarios that it names.
 *
 * @throws {SyntaxError} for an option, a value or a combination that means nothing
 * @throws {RangeError} for a scenario that does not exist
 * @throws {TypeError} for a module that has none
 */
export async function parseOptions(args: readonly string[]): Promise<BenchOptions> {
  // A sweep that goes on has the options that it was begun with, and then those of now.
  const { given, rest, isHelp } = readOptions(args, OPTIONS, { lastCounts: true });
  const [word] = rest;
  if (word !== undefined) {
    const option = /\.jsonl$/.test(word) ? "--from" : "--scenario";
    throw new SyntaxError(
      `Cannot read the command line as ${word} is no option: try ${option} ${word}, or see --help`,
    );
  }
  if (!isHelp) refuseIdle(given);
  const chosen = await chosenScenarios(given.scenario, given.full || given.list);
  const axisValues = axisValuesOf(chosen, given.axis);
  if (given.point !== undefined && Object.keys(axisValues).length > 0) {
    throw new SyntaxError("Cannot use --axis beside --point as an id has a value of each axis");
  }
  const isChosen = [given.scenario, given.axis].some(({ length }) => length > 0) ||
    given.filter !== undefined || given.point !== undefined;
  const isUsual = !isChosen && !given.full && given.against === undefined;
  return {
    isHelp,
    isList: given.list,
    isChosen,
    isUsual,
    isDryRun: given["dry-run"],
    isQuick: given.quick,
    isDenoBench: given["deno-bench"],
    scenarios: chosen,
    ...(given.point !== undefined && { pointId: pointIdOf(chosen, given.point) }),
    axisValues,
    ...timeOf(given, { chosen, isUsual }),
    stopRules: namesOf("stop", { text: given.stop ?? "precision", known: STOP_RULES }),
    seed: integerOf("seed", given.seed ?? `${randomSeed()}`, { min: 0 }),
    out: given.out ?? resultsFolder(),
    // The charts that were drawn of an earlier run are not drawn anew unless somebody says where.
    isPublished: given.from === undefined || given.out !== undefined,
    isDrawn: given.out !== undefined,
    isDetailed: given.detail,
    areTargetsTold: given.targets,
    formats: given.format === undefined
      ? []
      : namesOf("format", { text: given.format, known: ROW_FORMATS }),
    ...present(given),
  };
}

/** What is absent from the options when the command line does not name it. */
function present(given: Given): Partial<BenchOptions> {
  return {
    ...(given.filter !== undefined && { filter: given.filter }),
    ...(given.shard !== undefined && { shard: shardOf(given.shard) }),
    ...(given.precision !== undefined && {
      relativeErrorMax: shareOf("precision", given.precision, { min: 0.0001, below: 1 }),
    }),
    ...(given["run-id"] !== undefined && { runId: runIdOf(given["run-id"]) }),
    ...(given.resume !== undefined && { resume: given.resume }),
    ...(given["json-in"] !== undefined && { jsonIn: given["json-in"] }),
    ...(given.from !== undefined && { from: given.from }),
    ...(given.against !== undefined && { against: againstOf(given, given.against) }),
  };
}

function againstOf(given: Given, what: string): AgainstOptions {
  const share = (name: typeof AGAINST_ONLY[number], absent: number, min = 0) => {
    const text = given[name];
    return text === undefined ? absent : shareOf(name, text, { min });
  };
  return {
    what,
    failAbove: share("fail-above", 0),
    sameWithin: share("same-within", SAME_WITHIN),
    putInShare: share("put-in", PUT_IN_SHARE, 0.001),
    confidence: COMPARE_CONFIDENCE,
    roundsMax: given.rounds === undefined
      ? AGAINST_ROUNDS_MAX
      : integerOf("rounds", given.rounds, { min: 1 }),
  };
}

/** How often points are visited, and for how long: with more rounds, the sweep of a minute takes longer. */
function timeOf(
  given: Given,
  { chosen, isUsual }: { readonly chosen: readonly Scenario[]; readonly isUsual: boolean },
): Pick<BenchOptions, "seconds" | "isTimeHard" | "rounds"> {
  const { seconds, budget, quick, full } = given;
  const usual = quick ? 1 : isUsual ? USUAL_ROUNDS : full ? FULL_ROUNDS : roundsFor(chosen);
  const rounds = integerOf("rounds", given.rounds ?? `${usual}`, { min: 1 });
  if (budget !== undefined) {
    if (seconds === undefined) {
      return { rounds, seconds: durationSecondsOf("budget", budget), isTimeHard: true };
    }
    throw new SyntaxError("Cannot use --seconds beside --budget as both say the time of the sweep");
  }
  const isPaced = isUsual && !quick && seconds === undefined;
  const absent = isPaced
    ? SECONDS.usual * rounds / USUAL_ROUNDS
    : SECONDS[quick ? "quick" : full ? "full" : "chosen"];
  return {
    rounds,
    seconds: numberOf("seconds", seconds ?? `${absent}`, { min: SECONDS_MIN }),
    isTimeHard: isPaced,
  };
}

/** As many as an answer needs where something is compared. */
function roundsFor(chosen: readonly Scenario[]): number {
  return chosen.some(({ compares }) => compares !== undefined) ? ROUNDS_MIN : 1;
}

function refuseIdle(given: Given): void {
  const [name, others = []] = INSTEAD.find(([name]) => given[name]) ?? [];
  const alone = AGAINST_ONLY.find((other) => given[other] !== undefined);
  if (alone !== undefined && name !== "against") {
    throw new SyntaxError(`Cannot use --${alone} without --against, to which it belongs`);
  }
  if (name === undefined || given.list) return;
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

/** The slowdown that a run must find, when the command line does not say it. */
const PUT_IN_SHARE = 0.05;
/** Of `--against`: more rounds than these are those of a day. */
const AGAINST_ROUNDS_MAX = 10_000;
