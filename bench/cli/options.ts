import { parseArgs } from "@std/cli/parse-args";
import { type AxisValue, parseAxisValue, parsePointId } from "../../scenarios/axis.ts";
import { usualScenarios } from "../../scenarios/registry.ts";
import { type Scenario, smallestPoint } from "../../scenarios/scenario.ts";
import { findScenario, scenarios as allScenarios } from "../registry.ts";
import { FULL_ROUNDS, type OptionName, OPTIONS, SECONDS } from "./usage.ts";

/** What the command line asks for. */
export interface BenchOptions {
  readonly isHelp: boolean;
  readonly isList: boolean;
  /** Whether the sweep only has to show that everything runs: very little time for each point. */
  readonly isQuick: boolean;
  /** The chosen scenarios; `--point` and `--quick` leave one point of each. */
  readonly scenarios: readonly Scenario[];
  readonly axisValues: Readonly<Record<string, readonly AxisValue[]>>;
  /** For the whole sweep. */
  readonly seconds: number;
  readonly rounds: number;
  readonly seed: number;
  /** The folder for `raw/`, `pictures/` and the report. */
  readonly out: string;
  readonly runId?: string;
  /** Output of `deno bench --json` to convert, instead of a sweep. */
  readonly jsonIn?: string;
  /** Records of an earlier run to show again, instead of a sweep. */
  readonly from?: string;
}

const NAMES = Object.keys(OPTIONS) as OptionName[];
const FLAGS = NAMES.filter((name) => !("value" in OPTIONS[name]));
const LISTS = NAMES.filter((name) => "isList" in OPTIONS[name]);
const STRINGS = NAMES.filter((name) => !FLAGS.includes(name) && !LISTS.includes(name));

/**
 * Reads the command line.
 *
 * @throws {SyntaxError} for an option, a value or a combination that means nothing
 * @throws {RangeError} for a scenario that does not exist
 */
export function parseOptions(args: readonly string[]): BenchOptions {
  const given = parseArgs(args, {
    string: [...STRINGS, ...LISTS],
    boolean: [...FLAGS],
    collect: [...LISTS],
    unknown: refuseUnknown,
  }) as unknown as Record<OptionName, string & string[] & boolean>;
  for (const name of STRINGS) refuseEmpty(name, given[name]);
  const chosen = chosenScenarios(given.scenario, given.full || given.list);
  const kind = given.quick ? "quick" : given.full ? "full" : "usual";
  return {
    isHelp: given.help,
    isList: given.list,
    isQuick: given.quick,
    scenarios: given.point !== undefined
      ? [onlyPoint(chosen, given.point)]
      : given.quick
      ? chosen.map(onlySmallest)
      : chosen,
    axisValues: axisValuesOf(chosen, given.axis),
    seconds: numberOf("seconds", given.seconds ?? `${SECONDS[kind]}`, { min: 0.1 }),
    rounds: integerOf("rounds", given.rounds ?? `${given.full ? FULL_ROUNDS : 1}`, { min: 1 }),
    seed: integerOf("seed", given.seed ?? `${randomSeed()}`, { min: 0 }),
    out: given.out ?? "results",
    ...(given["run-id"] === undefined ? {} : { runId: runIdOf(given["run-id"]) }),
    ...(given["json-in"] === undefined ? {} : { jsonIn: given["json-in"] }),
    ...(given.from === undefined ? {} : { from: given.from }),
  };
}

function refuseUnknown(arg: string): never {
  throw new SyntaxError(
    `Cannot read the command line as it has no option ${arg}: options are ${
      NAMES.map((name) => `--${name}`).join(", ")
    }`,
  );
}

function refuseEmpty(name: string, text: string | undefined): void {
  if (text === undefined || text.trim() !== "") return;
  throw new SyntaxError(`Cannot read the command line as --${name} has no value`);
}

function chosenScenarios(names: readonly string[], isEverything: boolean): readonly Scenario[] {
  const wanted = names.flatMap((text) => text.split(","));
  if (wanted.length > 0) return [...new Set(wanted)].map((name) => findScenario(name));
  return isEverything ? allScenarios : usualScenarios;
}

/** Reads texts such as `portCount=1,64`. A chosen scenario must have the axis and take the values. */
function axisValuesOf(
  scenarios: readonly Scenario[],
  texts: readonly string[],
): Record<string, readonly AxisValue[]> {
  return Object.fromEntries(texts.map((text) => {
    const [name = "", values = ""] = text.split("=", 2);
    const owners = scenarios.filter(({ axes }) => Object.hasOwn(axes, name));
    if (owners.length > 0 && values !== "") return [name, valuesFor(owners, { name, values })];
    const names = axisNames(scenarios);
    throw new SyntaxError(
      `Cannot use --axis ${text} as it must be NAME=V1,V2, NAME one of ${names}`,
    );
  }));
}

function valuesFor(
  owners: readonly Scenario[],
  option: { readonly name: string; readonly values: string },
): AxisValue[] {
  const { name, values } = option;
  const refusals: unknown[] = [];
  for (const { axes } of owners) {
    try {
      return values.split(",").map((text) => parseAxisValue(axes, { name, text }));
    } catch (refusal) {
      refusals.push(refusal);
    }
  }
  throw refusals[0];
}

function axisNames(scenarios: readonly Scenario[]): string {
  return [...new Set(scenarios.flatMap(({ axes }) => Object.keys(axes)))].join(", ");
}

function onlyPoint(scenarios: readonly Scenario[], id: string): Scenario {
  const [scenario] = scenarios;
  if (scenario === undefined || scenarios.length > 1) {
    throw new SyntaxError("Cannot use --point without exactly one --scenario, whose point it is");
  }
  const point = parsePointId(scenario.axes, id);
  return { ...scenario, points: () => [point] };
}

function onlySmallest(scenario: Scenario): Scenario {
  const smallest = smallestPoint(scenario);
  return { ...scenario, points: () => [smallest] };
}

function numberOf(name: string, text: string, { min }: { readonly min: number }): number {
  const value = Number(text);
  if (Number.isFinite(value) && value >= min) return value;
  throw new SyntaxError(
    `Cannot use --${name} as it must be a number of at least ${min}: current value is "${text}"`,
  );
}

function integerOf(name: string, text: string, limits: { readonly min: number }): number {
  const value = numberOf(name, text, limits);
  if (Number.isSafeInteger(value)) return value;
  throw new SyntaxError(
    `Cannot use --${name} as it must be a whole number: current value is "${text}"`,
  );
}

/** The id becomes a file name, so it holds only what every system allows there. */
function runIdOf(text: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9_.-]{0,80}$/.test(text)) return text;
  throw new SyntaxError(
    `Cannot use --run-id as it must be letters, digits, "_", "-" or ".": current value is "${text}"`,
  );
}

function randomSeed(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0]!;
}
