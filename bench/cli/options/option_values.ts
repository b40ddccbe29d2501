import { type AxisValue, parseAxisValue } from "../../../scenarios/axis.ts";
import { knownNames } from "../../../scenarios/nearest_name.ts";
import type { Scenario } from "../../../scenarios/scenario.ts";
import type { Shard } from "../../sweep/plan_sweep.ts";

/** Lower limit of a number. */
interface Limits {
  readonly min: number;
}

/** @throws {SyntaxError} when the text is no number, or one below the limit */
export function numberOf(name: string, text: string, { min }: Limits): number {
  const value = Number(text);
  if (Number.isFinite(value) && value >= min) return value;
  throw new SyntaxError(
    `Cannot use --${name} as it must be a number of at least ${min}: current value is "${text}"`,
  );
}

/** @throws {SyntaxError} when the text is no whole number, or one below the limit */
export function integerOf(name: string, text: string, limits: Limits): number {
  const value = numberOf(name, text, limits);
  if (Number.isSafeInteger(value)) return value;
  throw new SyntaxError(
    `Cannot use --${name} as it must be a whole number: current value is "${text}"`,
  );
}

const UNIT_SECONDS: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3600 };

/** The least time for a sweep. */
export const SECONDS_MIN = 0.1;

/**
 * The seconds in `90s`, `2m`, `1h30m`, `500ms`.
 *
 * @throws {SyntaxError} for any other text, and for less than {@linkcode SECONDS_MIN}
 */
export function durationSecondsOf(name: string, text: string): number {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
  const isWhole = parts.map(([part]) => part).join("") === text;
  const seconds = parts.reduce(
    (sum, [, count, unit]) => sum + Number(count) * UNIT_SECONDS[unit!]!,
    0,
  );
  if (isWhole && seconds >= SECONDS_MIN && seconds < Infinity) return seconds;
  throw new SyntaxError(
    `Cannot use --${name} as it must be a time such as 90s, 2m or 1h30m, at least ` +
      `${SECONDS_MIN * 1000}ms: current value is "${text}"`,
  );
}

/** Which shares an option takes. */
export interface ShareLimits {
  /** The least, of 1. */
  readonly min: number;
  /** What it must be less than, of 1; any share when absent. */
  readonly below?: number;
}

/** The share in `0.5%`, of 1. @throws {SyntaxError} for any other text, or a share beyond the limits */
export function shareOf(name: string, text: string, { min, below }: ShareLimits): number {
  const [, percent] = /^(\d+(?:\.\d+)?) ?%$/.exec(text) ?? [];
  const share = Number(percent) / 100;
  if (share >= min && share < (below ?? Infinity)) return share;
  const [least, most] = [min, below].map((limit) => limit && `${100 * limit}%`);
  throw new SyntaxError(
    `Cannot use --${name} as it must be a share such as 5%, at least ${least || "0%"}` +
      `${most ? ` and less than ${most}` : ""}: current value is "${text}"`,
  );
}

/** The shard in `2/4`, the second of four. @throws {SyntaxError} for any other text */
export function shardOf(text: string): Shard {
  const [, index = 0, count = 0] = /^(\d+)\/(\d+)$/.exec(text)?.map(Number) ?? [];
  if (index >= 1 && index <= count) return { index, count };
  throw new SyntaxError(
    `Cannot use --shard as it must be I/N, from 1/N to N/N: current value is "${text}"`,
  );
}

/**
 * The names of a list such as `table,json`.
 *
 * @throws {SyntaxError} for a name that is not known
 */
export function namesOf<Name extends string>(
  option: string,
  given: { readonly text: string; readonly known: readonly Name[] },
): readonly Name[] {
  return given.text.split(",").map((text) => {
    const name = given.known.find((known) => known === text);
    if (name !== undefined) return name;
    throw new SyntaxError(
      `Cannot use --${option} as there is no "${text}": it takes ${knownNames(text, given.known)}`,
    );
  });
}

/** The id becomes a file name, so it holds only what every system allows there. */
export function runIdOf(text: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9_.-]{0,80}$/.test(text)) return text;
  throw new SyntaxError(
    `Cannot use --run-id as it must be letters, digits, "_", "-" or ".", 81 at most: current value is "${text}"`,
  );
}

/**
 * Reads texts such as `portCount=1,64` or `portCount=1..4096x4`. A chosen scenario must have the axis
 * and take the values.
 *
 * @throws {SyntaxError} when none has, or none does
 */
export function axisValuesOf(
  scenarios: readonly Scenario[],
  texts: readonly string[],
): Record<string, readonly AxisValue[]> {
  return Object.fromEntries(texts.map((text) => {
    const [name = "", values = ""] = text.split("=", 2);
    const owners = scenarios.filter(({ axes }) => Object.hasOwn(axes, name));
    if (owners.length > 0 && values !== "") {
      return [name, valuesFor(owners, { name, texts: values.split(",").flatMap(rangeOf) })];
    }
    if (owners.length > 0) {
      throw new SyntaxError(
        `Cannot use --axis as it must be ${name}=V1,V2, with a value at least: current value is "${text}"`,
      );
    }
    const names = [...new Set(scenarios.flatMap(({ axes }) => Object.keys(axes)))];
    throw new SyntaxError(
      `Cannot use --axis ${text} as it must be NAME=V1,V2, NAME one of ${knownNames(name, names)}`,
    );
  }));
}

/** Values of a range at most: more is a slip of the pen. */
const RANGE_MAX = 10_000;

/** `1..4096x4` are 1, 4, 16 and so on up to 4096; `1..9+4` are 1, 5, 9; `1..4` are 1, 2, 3, 4. */
function rangeOf(text: string): string[] {
  const match = /^(-?[\d.]+?)\.\.(-?[\d.]+?)(?:([x+])([\d.]+))?$/.exec(text);
  if (!match) return [text];
  const [first, last, step] = [match[1], match[2], match[4] ?? 1].map(Number) as [
    number,
    number,
    number,
  ];
  const isTimes = match[3] === "x";
  const grows = isTimes ? first > 0 && step > 1 : step > 0;
  const values: number[] = [];
  for (let value = first; grows && value <= last; value = isTimes ? value * step : value + step) {
    if (values.push(value) > RANGE_MAX) break;
  }
  if (values.length > 0 && values.length <= RANGE_MAX) return values.map(String);
  throw new SyntaxError(
    `Cannot use the range ${text} as it must be FIRST..LASTxFACTOR or FIRST..LAST+STEP, with 1 to ` +
      `${RANGE_MAX} values`,
  );
}

function valuesFor(
  owners: readonly Scenario[],
  option: { readonly name: string; readonly texts: readonly string[] },
): AxisValue[] {
  const { name, texts } = option;
  const refusals: unknown[] = [];
  for (const { axes } of owners) {
    try {
      return texts.map((text) => parseAxisValue(axes, { name, text }));
    } catch (refusal) {
      refusals.push(refusal);
    }
  }
  throw refusals[0];
}
