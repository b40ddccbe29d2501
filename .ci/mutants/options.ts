import type { ReadOptions } from "../../bench/cli/options/command_options.ts";
import { integerOf } from "../../bench/cli/options/option_values.ts";

/** What `deno task mutants` was asked for. */
export interface Options {
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

export const COMMAND = {
  usage: ["deno task mutants [options]"],
  does:
    `Changes the core in one place at a time, and looks whether a test notices. Takes hours; a run that was
stopped goes on where it was when it is started again with the same seed.`,
  options: {
    "per-file": { value: "N", help: 'how many changes of each file; 20 when absent, or "all"' },
    seed: { value: "N", help: "which ones; 1 when absent" },
    filter: { value: "TEXT", help: "only in files whose path contains this" },
    operator: { value: "NAME", help: "only changes of this kind" },
    near: { help: "runs the tests of a file's own room only: faster, and says less" },
    jobs: { value: "N", help: "how many side by side; 2 when absent" },
    again: { help: "judges what is left once more, of this sample and on record" },
    list: { help: "prints the changes, and runs nothing" },
    accept: { help: "takes what came of the seed into the record, and writes docs/mutants.md" },
  },
  ends:
    `It ends with 0, with 1 when a change survived that is not known to change nothing, or the record is stale, and with 2 when
the command line is wrong.`,
} as const;

/** @throws {SyntaxError} when a number is none */
export function optionsOf({ given }: ReadOptions<typeof COMMAND.options>): Options {
  const { "per-file": perFile = "20", filter = "", operator = "" } = given;
  const seed = integerOf("seed", given.seed ?? "1", { min: 1 });
  return {
    isList: given.list,
    isAccept: given.accept,
    isAgain: given.again,
    isNear: given.near,
    seed,
    perFile: perFile === "all" ? Infinity : integerOf("per-file", perFile, { min: 1 }),
    filter,
    operator,
    jobs: integerOf("jobs", given.jobs ?? "2", { min: 1 }),
    results: `coverage/mutants_${seed}.jsonl`,
  };
}
