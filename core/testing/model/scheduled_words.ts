import type { Words } from "../../memory/words.ts";

/** Thrown through a program when its next operation is not granted. Not an error. */
export const SUSPENDED = Symbol("suspended");

/** A violation that a program itself found. */
export class Violation extends Error {
  override readonly name = "Violation";
}

/** The operation before which a program stands. */
export interface PendingOperation {
  /** For the trace. */
  readonly text: string;
  /** The word that it sleeps on while it holds `value`. */
  readonly sleep?: { readonly word: number; readonly value: number };
  /** Whether it can be taken at all; always, when absent. */
  readonly isEnabled?: (memory: Int32Array) => boolean;
}

/** What a model knows of its memory, so that fewer steps need exploring. */
export interface MemoryRules {
  /** Words that nobody writes; a program that does violates the model. */
  readonly isConstant: (word: number) => boolean;
  /** The lock word under which alone a word may be written; `undefined` for words without one. */
  readonly lockOf: (word: number) => number | undefined;
}

/** How far a program is: what each of its operations returned. */
export interface Progress {
  readonly results: readonly number[];
  /** Sleeping in `wait` on this word. */
  readonly sleepsOn?: number;
  /** Slept, and was notified. */
  readonly isWoken?: boolean;
}

/**
 * The twin of `SharedWords` under the explorer: one program's view of the modelled memory.
 *
 * A synchronous program cannot be stopped in the middle, so it is run again from its start for
 * every step: operations that it has done return their recorded results and touch nothing, the
 * next one is done if it was granted, and the one after that throws {@linkcode SUSPENDED}. The
 * program must be a function of those results alone.
 */
export class ScheduledWords implements Words {
  readonly plain: Int32Array;
  readonly results: number[];
  /** What distinguishes this program's local state: set by `boundary`, extended by each result. */
  localState = "";
  pending: PendingOperation | undefined;
  /** Words that were notified by the granted operation. */
  readonly notified: number[] = [];
  /** Set when the granted operation went to sleep. */
  sleepsOn: number | undefined;
  readonly #memory: Int32Array;
  readonly #isWoken: boolean;
  #grantCount: number;
  #position = 0;
  #isSuspended = false;
  #isInstant = false;

  readonly #rules: MemoryRules;
  /** The id of this program's client or server. */
  readonly ownerId: number;

  constructor(
    memory: Int32Array,
    progress: Progress,
    turn: { readonly grantCount: number; readonly rules: MemoryRules; readonly ownerId: number },
  ) {
    this.#memory = memory;
    this.#rules = turn.rules;
    this.ownerId = turn.ownerId;
    this.results = [...progress.results];
    this.#isWoken = progress.isWoken ?? false;
    this.#grantCount = turn.grantCount;
    this.plain = this.#plainView();
  }

  load(word: number): number {
    return this.#read(word, `load ${word}`);
  }

  peek(word: number): number {
    return this.#read(word, `peek ${word}`);
  }

  store(word: number, value: number): void {
    this.#operate({ text: `store ${word} ${value}` }, () => this.#write(word, value, 0));
  }

  exchange(word: number, value: number): number {
    return this.#update(word, `exchange ${word} ${value}`, () => value);
  }

  compareExchange(word: number, expected: number, next: number): number {
    const text = `compareExchange ${word} ${expected} ${next}`;
    return this.#update(word, text, (held) => held === expected ? next : held);
  }

  add(word: number, value: number): number {
    return this.#update(word, `add ${word} ${value}`, (held) => held + value);
  }

  or(word: number, bits: number): number {
    return this.#update(word, `or ${word} ${bits}`, (held) => held | bits);
  }

  and(word: number, bits: number): number {
    return this.#update(word, `and ${word} ${bits}`, (held) => held & bits);
  }

  wait(word: number, value: number): void {
    const operation = { text: `wait ${word} ${value}`, sleep: { word, value } };
    this.#operate(operation, () => 0);
  }

  waitAsync(): Promise<void> {
    throw new Violation("The model has no event loop");
  }

  notify(word: number): void {
    this.#operate({ text: `notify ${word}` }, () => {
      this.notified.push(word);
      return 0;
    });
  }

  /** Runs operations without letting other programs in between: for what is not under test. */
  instantly<T>(operations: () => T): T {
    const before = this.#isInstant;
    this.#isInstant = true;
    try {
      return operations();
    } finally {
      this.#isInstant = before;
    }
  }

  /** A step that can be taken only when the condition holds. */
  until(text: string, isEnabled: (memory: Int32Array) => boolean): void {
    this.#operate({ text: `until ${text}`, isEnabled }, () => 0);
  }

  /**
   * Says that everything local is known from `label` from here on, so that states which differ only
   * in how they came here are one.
   */
  boundary(label: string): void {
    this.localState = label;
  }

  /** A read that no other program can influence needs no step of its own. */
  #read(word: number, text: string): number {
    const read = () => this.#operate({ text }, () => this.#memory[word]!);
    return this.#rules.isConstant(word) || this.#holdsLockOf(word) ? this.instantly(read) : read();
  }

  #holdsLockOf(word: number): boolean {
    const lockWord = this.#rules.lockOf(word);
    return lockWord !== undefined && this.#memory[lockWord] === this.ownerId;
  }

  #update(word: number, text: string, next: (held: number) => number): number {
    return this.#operate({ text }, () => {
      const held = this.#memory[word]!;
      return this.#write(word, next(held), held);
    });
  }

  #write(word: number, value: number, result: number): number {
    if (this.#rules.isConstant(word)) throw new Violation(`Word ${word} is written`);
    if (this.#rules.lockOf(word) !== undefined && !this.#holdsLockOf(word)) {
      throw new Violation(`Word ${word} is written without its lock`);
    }
    this.#memory[word] = value;
    return result;
  }

  #operate(operation: PendingOperation, act: () => number): number {
    if (this.#isSuspended) throw SUSPENDED;
    if (this.#position === this.results.length) this.#take(operation, act);
    const result = this.results[this.#position++]!;
    this.localState += ` ${result}`;
    return result;
  }

  #take(operation: PendingOperation, act: () => number): void {
    if (!this.#isInstant && this.#grantCount-- <= 0) this.#suspend(operation);
    const { sleep } = operation;
    if (sleep && !this.#isWoken && this.#memory[sleep.word] === sleep.value) {
      this.sleepsOn = sleep.word;
      this.#suspend(operation);
    }
    this.results.push(act());
  }

  #suspend(operation: PendingOperation): never {
    this.#isSuspended = true;
    this.pending = operation;
    throw SUSPENDED;
  }

  /**
   * Headers are touched through plain accesses by the owner of a buffer alone, which is what the
   * explorer proves; so they need no step of their own, but must be recorded like all others.
   */
  #plainView(): Int32Array {
    return new Proxy(this.#memory, {
      get: (memory, key) => {
        const word = Number(key as string);
        if (!Number.isInteger(word)) return Reflect.get(memory, key, memory);
        return this.instantly(() => this.#operate({ text: "" }, () => memory[word]!));
      },
      set: (_memory, key, value) => {
        const word = Number(key as string);
        this.instantly(() => this.#operate({ text: "" }, () => this.#write(word, value, 0)));
        return true;
      },
    });
  }
}
