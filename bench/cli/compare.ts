/**
 * The command line that compares two runs: `deno task compare`.
 *
 * @module
 */
import { join } from "@std/path";
import { distinctVisits, type Loaded, loadRecords } from "../../results/load/load.ts";
import {
  compareRuns,
  COMPARISON_FORMATS,
  type ComparisonFormat,
  comparisonText,
} from "../../results/report/compare_runs.ts";
import {
  COMPARE_CONFIDENCE,
  type Comparison,
  SAME_WITHIN,
} from "../../results/statistics/compare.ts";
import { FAILED_EXIT, NO_INFORMATION_EXIT, tellAll, write } from "./command_line.ts";
import { type ReadOptions, runCommand } from "./options/command_options.ts";
import { namesOf, resultsFolder, type ShareLimits, shareOf } from "./options/option_values.ts";

const OPTIONS = {
  baseline: {
    value: "NAME",
    help: "results/raw/NAME.jsonl in place of BEFORE: runs are named by bench --run-id",
  },
  "fail-above": {
    value: "N%",
    help: "how much slower a point may be; 0% when absent. By the ends of its interval",
  },
  "same-within": {
    value: "N%",
    help: `two points are the same when they surely differ by less, ${
      100 * SAME_WITHIN
    }% when absent`,
  },
  confidence: {
    value: "N%",
    help: `how often there is no alarm where nothing has changed, ${
      100 * COMPARE_CONFIDENCE
    }% when absent`,
  },
  format: { value: "NAME", help: `${COMPARISON_FORMATS.join(", ")}; text when absent` },
} as const;

/** How it is called. */
export const COMMAND = {
  usage: [
    "deno task compare [options] BEFORE AFTER",
    "deno task compare [options] --baseline NAME AFTER",
  ],
  words: [0, Infinity],
  does:
    `Compares two files of records point by point: how many times as long a call takes, with an interval.
A change must show in seconds and in floors; else it may be the machine's.`,
  options: OPTIONS,
  ends: `Take ten rounds of each run (bench --rounds 10): five find 10 %, and three nearly nothing.

It ends with 0 when no point is slower, with 1 when one is, for sure and by more than --fail-above, with
3 when that is not decided or a line of a file could not be read, and with 2 when nothing was compared.`,
} as const;

if (import.meta.main) Deno.exit(await runCommand(COMMAND, (read) => compare(optionsOf(read))));

async function compare(options: CompareCommand): Promise<number> {
  const files = await Promise.all([options.before, options.after].map(load));
  const [baseline, candidate] = files.map(({ records }) => records);
  const comparison = compareRuns(baseline!, candidate!, options);
  write(Deno.stdout, comparisonText(comparison, options.format));
  const code = exitCode(comparison.points, options.failAbove);
  const isWhole = files.every(({ problems }) => problems.length === 0);
  const told = code === 0 && !isWhole ? NO_INFORMATION_EXIT : code;
  write(Deno.stderr, `${nextText(told, options)}\n`);
  return told;
}

/**
 * 1 when a point is slower for sure by more than the share, 3 when that cannot be told of one, else 0: by
 * the ends of the intervals.
 */
export function exitCode(
  points: readonly Pick<Comparison, "verdict" | "ratio">[],
  failAbove: number,
): number {
  const left = points.filter(({ verdict }) => verdict === "slower" || verdict === "undecided");
  if (left.some(({ verdict, ratio }) => verdict === "slower" && ratio.lo > 1 + failAbove)) {
    return FAILED_EXIT;
  }
  return left.some(({ ratio }) => ratio.hi > 1 + failAbove) ? NO_INFORMATION_EXIT : 0;
}

/** The line behind a comparison: what to do next. */
function nextText(code: number, { before, after }: CompareCommand): string {
  if (code === NO_INFORMATION_EXIT) {
    return "Next: take more rounds (deno task bench --rounds 10), or measure both in turn " +
      "(deno task bench --against REF)";
  }
  const page = `deno task report ${before} ${after}`;
  return code === FAILED_EXIT ? `Next: see where, ${page}` : `Next: nothing is worse; ${page}`;
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

/** @throws {SyntaxError} when the command line cannot be followed */
export function optionsOf({ given, rest }: ReadOptions<typeof OPTIONS>): CompareCommand {
  const [before, after] = filesOf(rest, given.baseline);
  const share = (name: keyof typeof OPTIONS, absent: number, limits: ShareLimits = { min: 0 }) => {
    const text = given[name];
    return text === undefined ? absent : shareOf(name, text, limits);
  };
  const format = { text: given.format ?? "text", known: COMPARISON_FORMATS };
  return {
    before,
    after,
    failAbove: share("fail-above", 0),
    sameWithin: share("same-within", SAME_WITHIN),
    confidence: share("confidence", COMPARE_CONFIDENCE, { min: 0.5, below: 1 }),
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
  tellAll([...loaded.problems, ...loaded.notes]);
  if (loaded.records.length > 0) return loaded;
  throw new TypeError(`Cannot compare as there is no record in ${path}`);
}
