import { parseArgs } from "@std/cli/parse-args";

/** What `deno task mutants` was asked for. */
export interface Options {
  readonly isHelp: boolean;
  /** Prints the mutants, and judges none. */
  readonly isList: boolean;
  /** Keeps the results as the committed record, and writes the page. */
  readonly isAccept: boolean;
  /** Changes the kernels instead of the core. */
  readonly isWgsl: boolean;
  /** Judges again what survived before: after tests were added. */
  readonly isAgain: boolean;
  readonly seed: number;
  /** How many mutants; `Infinity` for all. */
  readonly count: number;
  /** Paths that contain this. */
  readonly filter: string;
  /** One operator; all when empty. */
  readonly operator: string;
  readonly jobs: number;
  /** Where each result is appended at once. */
  readonly results: string;
  /** Whether what the file of results holds is kept. */
  readonly isResumed: boolean;
}

export const HELP = `Usage: deno task mutants [options]

Changes the core in one place at a time, and looks whether a test notices.

  --count N        how many changes, spread over files and operators; 250, or "all"
  --seed N         which ones; 1
  --filter TEXT    only in files whose path contains this
  --operator NAME  only changes of this kind
  --wgsl           changes the kernels; runs their tests on the software adapter
  --jobs N         how many side by side; 2
  --resume FILE    goes on with a file of results; without it the run begins anew
  --again          with --resume: judges what survived once more
  --list           prints the changes, and runs nothing
  --accept FILE    keeps results as the committed record, and writes docs/mutants.md`;

const NAMES = ["count", "seed", "filter", "operator", "jobs", "resume", "accept"] as const;
const FLAGS = ["list", "wgsl", "again", "help"] as const;

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
  return {
    isHelp: flags.help,
    isList: flags.list,
    isAccept: flags.accept !== undefined,
    isWgsl: flags.wgsl,
    isAgain: flags.again,
    seed: numberOf("seed", flags.seed ?? "1"),
    count: flags.count === "all" ? Infinity : numberOf("count", flags.count ?? "250"),
    filter: flags.filter ?? "",
    operator: flags.operator ?? "",
    jobs: numberOf("jobs", flags.jobs ?? "2"),
    results: flags.accept ?? flags.resume ?? "coverage/mutants.jsonl",
    isResumed: flags.resume !== undefined,
  };
}

function numberOf(name: string, text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new TypeError(
    `Cannot run as --${name} must be a positive integer: current value is ${text}`,
  );
}
