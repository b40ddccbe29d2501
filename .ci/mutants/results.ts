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

/** What a file of results says of each mutant, by its id. */
export interface Results {
  /** When it was judged first. */
  readonly first: ReadonlyMap<string, Result>;
  /** When it was judged last: behind new tests, perhaps. */
  readonly last: Map<string, Result>;
}

/** Reads a file of results, one a line. A cut-off last line is passed over. */
export function readResults(text: string): Results {
  const lines = text.slice(0, text.lastIndexOf("\n") + 1).split("\n").filter((line) => line);
  const results = lines.map((line) => JSON.parse(line) as Result)
    .map((result) => [mutantId(result), result] as const);
  return { first: new Map(results.toReversed()), last: new Map(results) };
}
