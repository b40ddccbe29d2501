import { keyParts, type MutantKey } from "./edits/mutation.ts";

/** A change that no caller can tell, and why. */
export interface Equivalent extends MutantKey {
  readonly reason: string;
}

/** Reasons by what was changed. */
export class Equivalents {
  readonly #reasons: ReadonlyMap<string, string>;
  readonly #entries: readonly Equivalent[];

  constructor(entries: readonly Equivalent[]) {
    this.#entries = entries;
    this.#reasons = new Map(entries.map((entry) => [idOf(entry), entry.reason]));
  }

  /** Why the change makes no difference; `undefined` where it may make one. */
  reasonOf(mutant: MutantKey): string | undefined {
    return this.#reasons.get(idOf(mutant));
  }

  /** Entries that none of the mutants matches: the source has changed, and the reason may have, too. */
  withoutMutant(mutants: readonly MutantKey[]): Equivalent[] {
    const ids = new Set(mutants.map(idOf));
    return this.#entries.filter((entry) => !ids.has(idOf(entry)));
  }
}

function idOf(key: MutantKey): string {
  return keyParts(key).join("\n");
}
