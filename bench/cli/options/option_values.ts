import { fromFileUrl, join, relative } from "@std/path";
import { knownNames } from "../../../scenarios/nearest_name.ts";
import type { Shard } from "../../sweep/plan_sweep.ts";

/**
 * Where records and pictures go when nobody says: `results` of this project for who calls from a folder
 * within it, else `results` in the folder of the call.
 *
 * @param from the folder of the call; the working folder when absent
 */
export function resultsFolder(from: string = Deno.cwd()): string {
  const url = new URL("../../..", import.meta.url);
  if (url.protocol !== "file:") return "results";
  const root = fromFileUrl(url);
  const below = relative(root, from);
  return below.startsWith("..") ? "results" : relative(from, join(root, "results")) || ".";
}

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
