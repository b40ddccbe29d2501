import { keyParts, type MutantKey } from "./edits/mutation.ts";

/** A change that no caller can tell, by what it does or by what it costs, and why. */
export interface Equivalent extends MutantKey {
  readonly reason: string;
}

/** Reasons by what was changed. */
export class Equivalents {
  readonly #reasons: ReadonlyMap<string, string>;

  constructor(entries: readonly Equivalent[]) {
    this.#reasons = new Map(entries.map((entry) => [idOf(entry), entry.reason]));
  }

  /** Why the change makes no difference; `undefined` where it may make one. */
  reasonOf(mutant: MutantKey): string | undefined {
    return this.#reasons.get(idOf(mutant));
  }
}

/** Names a change by what it says. */
export function idOf(key: MutantKey): string {
  return keyParts(key).join("\n");
}
