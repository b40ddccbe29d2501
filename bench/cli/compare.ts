/**
 * The command line that compares two runs: `deno task compare`.
 *
 * @module
 */
import { parseArgs } from "@std/cli/parse-args";
import { join } from "@std/path";
import { distinctVisits, type Loaded, loadRecords } from "../../results/load/load.ts";
import {
  compareRuns,
  COMPARISON_FORMATS,
  type ComparisonFormat,
  comparisonText,
  type RunComparison,
} from "../../results/report/compare_runs.ts";
import { SAME_WITHIN } from "../../results/statistics/compare.ts";
import { CONFIDENCE } from "../../results/statistics/interval.ts";
import { exitStatusOf, FAILED_EXIT, refuseOthers, refuseTwice, write } from "./command_line.ts";
import { namesOf, resultsFolder, type ShareLimits, shareOf } from "./options/options.ts";

const OPTIONS = [
  ...["--baseline", "--fail-above", "--same-within", "--confidence", "--format", "--help"],
];

const USAGE = `Usage: deno task compare [options] BEFORE AFTER
       deno task compare [options] --baseline NAME AFTER

Compares two files of records point by point: how many times as long a call takes, with an interval.

  --baseline NAME    results/raw/NAME.jsonl in place of BEFORE: runs are named by bench --run-id
  --fail-above N%    ends with 1 when a point is slower for sure, and by more than this
  --same-within N%   two points are the same when they surely differ by less, 5% when absent
  --confidence N%    how often all verdicts together are right, 95% when absent
  --format NAME      ${COMPARISON_FORMATS.join(", ")}; text when absent
  --help             show this text

Take several rounds of each run (bench --rounds 5): one round says nothing about how rounds scatter. It
ends with 0, with 1 as --fail-above says or when a line of a file could not be read, and with 2 when
nothing was compared.
`;

if (import.meta.main) Deno.exit(await exitStatusOf(() => main(Deno.args)));

async function main(args: readonly string[]): Promise<number | void> {
  const options = parseOptions(args);
  if (options === undefined) return write(Deno.stdout, USAGE);
  const files = await Promise.all([options.before, options.after].map(load));
  const [baseline, candidate] = files.map(({ records }) => records);
  const comparison = compareRuns(baseline!, candidate!, options);
  write(Deno.stdout, comparisonText(comparison, options.format));
  const isWhole = files.every(({ problems }) => problems.length === 0);
  return isWhole ? exitCode(comparison, options.failAbove) : FAILED_EXIT;
}

/** 1 when a point is slower for sure and by more than the share; else 0. */
export function exitCode({ points }: RunComparison, failAbove: number): number {
  const isWorse = points.some(({ verdict, ratio }) =>
    verdict === "slower" && ratio.center > 1 + failAbove
  );
  return isWorse ? FAILED_EXIT : 0;
}

export interface CompareCommand {
  readonly before: string;
  readonly after: string;
  /** Shares of 1. */
  readonly failAbove: number;
  readonly sameWithin: number;
  readonly confidence: number;
  readonly format: ComparisonFormat;
}

/**
 * Reads the command line; returns nothing when it asks for help.
 *
 * @throws {SyntaxError} when it cannot be followed
 */
export function parseOptions(args: readonly string[]): CompareCommand | undefined {
  refuseTwice(args);
  const parsed = parseArgs([...args], {
    string: ["baseline", "fail-above", "same-within", "confidence", "format", "_"],
    boolean: ["help"],
    unknown: refuseOthers(OPTIONS),
  });
  if (parsed.help) return undefined;
  const given = parsed as Readonly<Record<string, string | undefined>>;
  const [before, after] = filesOf(parsed._.map(String), given.baseline);
  const share = (name: string, absent: number, limits: ShareLimits = { min: 0 }) => {
    const text = given[name];
    return text === undefined ? absent : shareOf(name, text, limits);
  };
  const format = { text: given.format ?? "text", known: COMPARISON_FORMATS };
  return {
    before,
    after,
    failAbove: share("fail-above", Infinity),
    sameWithin: share("same-within", SAME_WITHIN),
    confidence: share("confidence", CONFIDENCE, { min: 0.5, below: 1 }),
    format: namesOf("format", format)[0]!,
  };
}

function filesOf(paths: readonly string[], baseline?: string): readonly [string, string] {
  const kept = `${baseline}.jsonl`;
  const files = baseline === undefined ? paths : [join(resultsFolder(), "raw", kept), ...paths];
  if (files.length === 2) return [files[0]!, files[1]!];
  throw new SyntaxError(
    `Cannot compare as there must be two files: there are ${files.length}, see --help`,
  );
}

async function load(path: string): Promise<Loaded> {
  const loaded = distinctVisits(await loadRecords(path));
  for (const problem of [...loaded.problems, ...loaded.notes]) write(Deno.stderr, `${problem}\n`);
  if (loaded.records.length > 0) return loaded;
  throw new TypeError(`Cannot compare as there is no record in ${path}`);
}
