import { CheckedRules } from "./checked_rules.ts";
import { HappensBefore } from "./happens_before.ts";
import type { Model } from "./model.ts";
import { type Operation, operationText, resultOf, valueAfter } from "./operation.ts";
import { Threads } from "./threads.ts";

/** More than any thread takes without coming to a step that concerns another. */
const FREE_STEPS_MAX = 100_000;

/**
 * The memory and the threads of a model, in one state at a time, and the steps to the next.
 *
 * A step is one access of one thread. Steps that concern no other thread are free: they are taken
 * at once, with the step before them, unless the machine `isStepwise`.
 */
export class Machine {
  readonly memory: Int32Array;
  /** How many numbers make a state: its words, an entry for each thread, who has heard of what. */
  readonly stateLength: number;
  /** Who has heard of what, if data races are looked for. */
  readonly order: HappensBefore | undefined;
  /** What went wrong since the last `start` or `load`. */
  readonly violations: string[] = [];
  /** Who took the last step and the free steps after it, as bits. */
  takers = 0;
  /** Filled with the operations as they are done, when there. */
  schedule: string[] | undefined;
  readonly #model: Model;
  readonly #threads: Threads;
  readonly #rules: CheckedRules;
  readonly #isStepwise: boolean;

  constructor(model: Model, options: { readonly isStepwise: boolean }) {
    this.#model = model;
    this.memory = model.initialMemory.slice();
    this.#threads = new Threads(model);
    this.#rules = new CheckedRules(model, this.memory);
    this.#isStepwise = options.isStepwise;
    const ordering = model.orderingOf?.(this.memory);
    this.order = ordering && new HappensBefore(ordering, this.#threads.count);
    const { stateWords, programs } = model;
    this.stateLength = stateWords.length + programs.length + (this.order?.length ?? 0);
  }

  /** How many pairs of an operation and a result the threads have seen. */
  get localStepCount(): number {
    return this.#threads.localStepCount;
  }

  /** See `ThreadGraph`. */
  faultOfBoundaries(): string | undefined {
    return this.#threads.faultOfBoundaries();
  }

  /** Goes to the first state. */
  start(): void {
    this.memory.set(this.#model.initialMemory);
    this.order?.start();
    this.violations.length = 0;
    for (let thread = 0; thread < this.#threads.count; thread++) {
      this.#note(thread, this.#threads.restart(thread));
    }
    for (let thread = 0; thread < this.#threads.count; thread++) {
      while (this.operationOf(thread)?.isSetup) this.#take(thread);
    }
    this.#takeFree();
  }

  /** Goes to a state that {@linkcode save} wrote. */
  load(state: Int32Array): void {
    const words = this.#model.stateWords;
    for (let at = 0; at < words.length; at++) this.memory[words[at]!] = state[at]!;
    this.#threads.load(state, words.length);
    this.order?.load(state, words.length + this.#threads.count);
    this.violations.length = 0;
  }

  save(state: Int32Array): void {
    const words = this.#model.stateWords;
    for (let at = 0; at < words.length; at++) state[at] = this.memory[words[at]!]!;
    this.#threads.save(state, words.length);
    this.order?.save(state, words.length + this.#threads.count);
  }

  /** The threads that can take a step now. */
  readyThreads(): number[] {
    const ready: number[] = [];
    for (let thread = 0; thread < this.#threads.count; thread++) {
      if (this.#threads.canStep(thread, this.memory)) ready.push(thread);
    }
    return ready;
  }

  /** What the thread is about to do; `undefined` when it ended or was stopped by a violation. */
  operationOf(thread: number): Operation | undefined {
    return this.#threads.operationOf(thread);
  }

  /** Takes the thread's step, and every free step after it. */
  step(thread: number): void {
    this.takers = 0;
    this.#take(thread);
    this.#takeFree();
  }

  /** What is wrong with a state in which no thread can step; `undefined` when nothing is. */
  faultAtEnd(): string | undefined {
    if (this.#threads.hasHalted()) return undefined;
    const stuck = this.#threads.operations().sort();
    return stuck.length > 0 ? `Deadlock: ${stuck.join("; ")}` : this.#model.faultAtEnd(this.memory);
  }

  #takeFree(): void {
    if (this.#isStepwise) return;
    for (let hasTaken = true; hasTaken;) {
      hasTaken = false;
      for (let thread = 0; thread < this.#threads.count; thread++) {
        if (this.#takeFreeOf(thread)) hasTaken = true;
      }
    }
  }

  /** Takes the thread's free steps; returns whether there were any. */
  #takeFreeOf(thread: number): boolean {
    let count = 0;
    for (; this.#isFree(thread); count++) {
      if (count === FREE_STEPS_MAX) this.#note(thread, "The thread goes on for ever by itself");
      else this.#take(thread);
    }
    return count > 0;
  }

  /** Whether the thread's next step concerns no other: see `exploreAll`. */
  #isFree(thread: number): boolean {
    if (!this.#threads.canStep(thread, this.memory)) return false;
    // Who may die before any of its steps has none that concerns nobody.
    if (this.#model.mortals?.includes(thread)) return false;
    const operation = this.operationOf(thread)!;
    return this.#threads.isWoken(thread) || this.order?.isFree(operation) === true ||
      this.#rules.isFree(thread, operation);
  }

  #take(thread: number): void {
    const operation = this.operationOf(thread)!;
    this.takers |= 1 << thread;
    this.schedule?.push(`${thread}: ${operationText(operation)}`);
    const objection = this.#objection(thread, operation);
    if (objection !== undefined) return this.#note(thread, objection);
    switch (operation.kind) {
      case "until":
        return this.#pass(thread, operation);
      case "notify":
        this.#threads.wake(operation.word);
        return this.#advance(thread, 0);
      case "end":
        this.#threads.end(operation.word);
        this.order?.hearAllOf(thread, operation.word);
        return this.#advance(thread, 0);
      case "wait":
        return this.#wait(thread, operation);
      default:
        return this.#access(thread, operation);
    }
  }

  #objection(thread: number, operation: Operation): string | undefined {
    const objection = this.#rules.objection(thread, operation) ??
      this.order?.objection(thread, operation, this.memory[operation.word]!);
    if (objection !== undefined) return objection;
    for (let other = 0; other < this.#threads.count; other++) {
      const next = this.operationOf(other);
      // Who waits to end another counts on nothing yet: it takes over what the other has.
      if (other === thread || !next || next.kind === "end") continue;
      if (!this.#rules.isCountedOut(other, operation)) continue;
      return `A word is not left alone, though another thread counts on it: ${
        operationText(operation)
      }`;
    }
  }

  #pass(thread: number, { condition }: Operation): void {
    for (const word of condition!.isLoad ? condition!.words : []) this.order?.hear(thread, word);
    this.#advance(thread, condition!.outcome(this.memory));
  }

  #wait(thread: number, operation: Operation): void {
    if (this.#threads.isWoken(thread) || this.#threads.isAsleep(thread)) {
      return this.#advance(thread, 0);
    }
    if (this.memory[operation.word] === operation.value) this.#threads.sleep(thread);
    else this.#access(thread, operation);
  }

  #access(thread: number, operation: Operation): void {
    const held = this.memory[operation.word]!;
    this.order?.note(thread, operation, held);
    this.memory[operation.word] = valueAfter(operation, held);
    this.#rules.note(thread, operation, held);
    this.#advance(thread, resultOf(operation, held));
  }

  #advance(thread: number, result: number): void {
    this.#note(thread, this.#threads.advance(thread, result));
  }

  /** Notes a violation, if there is one, and stops its thread. */
  #note(thread: number, violation: string | undefined): void {
    if (violation === undefined) return;
    this.#threads.halt(thread);
    this.violations.push(violation);
  }
}
