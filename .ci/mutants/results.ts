import { type Mutant, mutantId, type MutantKey } from "./edits/mutation.ts";
import type { Judgement } from "./judge.ts";

/** What came of a mutant: `refused` by types, or by the compiler of WGSL. */
export type Verdict = "killed" | "survived" | "refused";

/** One line of a file of results. */
export interface Result extends MutantKey, Judgement {
  readonly ordinal: number;
  readonly line: number;
}

/** What is kept of a judged mutant. */
export function resultOf(mutant: Mutant, { verdict, by }: Judgement): Result {
  const { file, line, operator, scope, from, to, ordinal } = mutant;
  return { file, line, operator, scope, from, to, ordinal, verdict, by };
}

/** Results by the mutant's id; a later line of the same mutant counts. A cut-off last line is passed over. */
export function readResults(text: string): Map<string, Result> {
  const lines = text.slice(0, text.lastIndexOf("\n") + 1).split("\n").filter((line) => line);
  const results = lines.map((line) => JSON.parse(line) as Result);
  return new Map(results.map((result) => [mutantId(result), result]));
}

/** The lines of results, in an order that does not depend on the run. */
export function writeResults(results: Iterable<Result>): string {
  const rows = [...results].toSorted((left, right) =>
    left.file < right.file ? -1 : left.file > right.file ? 1 : left.line - right.line ||
      (mutantId(left) < mutantId(right) ? -1 : 1)
  );
  return rows.map((row) => `${JSON.stringify(row)}\n`).join("");
}
