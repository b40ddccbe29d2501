import { parseArgs } from "@std/cli/parse-args";

/** What `deno task mutants` was asked for. */
export interface Options {
  readonly isHelp: boolean;
  /** Prints the mutants, and judges none. */
  readonly isList: boolean;
  /** Takes what came of the sample into the committed record, and writes the page. */
  readonly isAccept: boolean;
  /** Judges again what survived before, or is on record as left: after tests were added. */
  readonly isAgain: boolean;
  /** Runs the tests of a file's own room only. */
  readonly isNear: boolean;
  readonly seed: number;
  /** How many mutants of each file; `Infinity` for all. */
  readonly perFile: number;
  /** Paths that contain this. */
  readonly filter: string;
  /** One operator; all when empty. */
  readonly operator: string;
  readonly jobs: number;
  /** Where each result is appended at once; a run goes on with what is there. */
  readonly results: string;
}

export const HELP = `Usage: deno task mutants [options]

Changes the core in one place at a time, and looks whether a test notices. Takes hours; a run
that was stopped goes on where it was when it is started again with the same seed.

  --per-file N     how many changes of each file; 20, or "all"
  --seed N         which ones; 1
  --filter TEXT    only in files whose path contains this
  --operator NAME  only changes of this kind
  --near           runs the tests of a file's own room only: faster, and says less
  --jobs N         how many side by side; 2
  --again          judges what is left once more, of this sample and on record
  --list           prints the changes, and runs nothing
  --accept         takes what came of the seed into the record, and writes docs/mutants.md`;

const NAMES = ["per-file", "seed", "filter", "operator", "jobs"] as const;
const FLAGS = ["list", "near", "again", "accept", "help"] as const;

/**
 * Reads the command line.
 *
 * @throws {TypeError} when an argument is unknown, or a number is none
 */
export function parseOptions(args: readonly string[]): Options {
  const flags = parseArgs([...args], {
    string: [...NAMES],
    boolean: [...FLAGS],
    unknown: (arg) => {
      throw new TypeError(`Cannot run as the argument is unknown: ${arg}`);
    },
  }) as unknown as Record<typeof NAMES[number], string> & Record<typeof FLAGS[number], boolean>;
  const perFile = flags["per-file"] ?? "20";
  const seed = numberOf("seed", flags.seed ?? "1");
  return {
    isHelp: flags.help,
    isList: flags.list,
    isAccept: flags.accept,
    isAgain: flags.again,
    isNear: flags.near,
    seed,
    perFile: perFile === "all" ? Infinity : numberOf("per-file", perFile),
    filter: flags.filter ?? "",
    operator: flags.operator ?? "",
    jobs: numberOf("jobs", flags.jobs ?? "2"),
    results: `coverage/mutants_${seed}.jsonl`,
  };
}

function numberOf(name: string, text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new TypeError(
    `Cannot run as --${name} must be a positive integer: current value is ${text}`,
  );
}
