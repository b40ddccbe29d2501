import type { MemoryRules, Model } from "./model.ts";
import { type Operation, valueAfter, writesTo } from "./operation.ts";

/** The rules of a model, asked about operations. Words that no program may change need none. */
export class CheckedRules {
  readonly #memory: Int32Array;
  readonly #rules: MemoryRules;
  readonly #isStateWord: Uint8Array;

  constructor(model: Model, memory: Int32Array) {
    this.#memory = memory;
    this.#rules = model.rulesOf(memory);
    this.#isStateWord = new Uint8Array(memory.length);
    for (const word of model.stateWords) this.#isStateWord[word] = 1;
  }

  /** Whether the thread's access concerns no other thread; sleeping and waking always may. */
  isFree(thread: number, { kind, word, condition }: Operation): boolean {
    switch (kind) {
      case "load":
      case "peek":
      case "read":
        return this.#isSettled(thread, word);
      case "until":
        return condition!.words.every((one) => this.#isSettled(thread, one));
      case "wait":
      case "notify":
      case "end":
        return false;
      default:
        return this.#isPrivate(thread, word);
    }
  }

  /** Why the thread must not do this; `undefined` when it may. */
  objection(thread: number, operation: Operation): string | undefined {
    const { kind, word } = operation;
    if (kind === "until" || kind === "notify" || kind === "end") return undefined;
    const held = this.#memory[word]!;
    const next = writesTo(operation, held) ? valueAfter(operation, held) : undefined;
    if (this.#isStateWord[word] === 1) return this.#rules.objection(thread, word, next);
    const isLeft = next === undefined || next === held;
    return isLeft ? undefined : `Word ${word} is changed, which the model holds constant`;
  }

  /** Tells the rules of an access that was just made, to a word that held `held`. */
  note(thread: number, operation: Operation, held: number): void {
    if (!writesTo(operation, held) || this.#rules.note === undefined) return;
    this.#rules.note(thread, operation.word, { held, next: valueAfter(operation, held) });
  }

  /** Whether another thread counts on it that nobody does this. */
  isCountedOut(other: number, operation: Operation): boolean {
    const { kind, word, condition } = operation;
    if (kind === "notify" || kind === "end") return false;
    if (condition) return condition.words.some((one) => this.#isPrivate(other, one));
    return writesTo(operation, this.#memory[word]!)
      ? this.#isStateWord[word] === 1 && this.#rules.isSettled(other, word)
      : this.#isPrivate(other, word);
  }

  #isSettled(thread: number, word: number): boolean {
    return this.#isStateWord[word] === 0 || this.#rules.isSettled(thread, word);
  }

  #isPrivate(thread: number, word: number): boolean {
    return this.#isStateWord[word] === 1 && this.#rules.isPrivate(thread, word);
  }
}
