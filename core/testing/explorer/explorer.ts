import { randomGenerator } from "../random.ts";
import { AlikeThreads } from "../model/alike_threads.ts";
import { findFairCycle, StepList } from "./fair_cycles.ts";
import { Machine } from "./machine.ts";
import type { Model } from "./model.ts";
import { StateTable } from "./state_table.ts";

/** How much is explored. */
export interface ExploreOptions {
  /** A model with more states is an error. */
  readonly stateCountMax: number;
  /** Whether free steps are steps like all others; false when absent. */
  readonly isStepwise?: boolean;
  /** Whether states that differ only in which of the alike threads is where are two; false when absent. */
  readonly tellsAlikeApart?: boolean;
  /** Whether to go on behind a violation, without the thread that it stopped; false when absent. */
  readonly findsAll?: boolean;
  /**
   * Whether a run that can go on for ever, though nobody is kept from going on, is a violation; false
   * when absent. Tells alike threads apart. Takes some 50 bytes more for each step.
   */
  readonly mustEnd?: boolean;
  /** Whether a boundary that leaves something local out is a violation; false when absent. Slow. */
  readonly checksBoundaries?: boolean;
}

/** What an exploration found. */
export interface Exploration {
  readonly stateCount: number;
  /** What went wrong, with a schedule that leads there in the fewest steps; `undefined` for nothing. */
  readonly violation: string | undefined;
  /** Everything that went wrong, without schedules. */
  readonly violations: ReadonlySet<string>;
  /** The state words wherever every thread had ended, or been stopped by a violation. */
  readonly ends: ReadonlySet<string>;
  /** How many pairs of an operation and its result there were, each at its place in its program. */
  readonly localStepCount: number;
}

/**
 * Visits the states of a model in the order of their distance from the start, and stops at the first
 * violation: what a program or a rule objects to, a data race, a state in which nobody can go on, a
 * bad end. A state is what the words hold, where each thread is, and who has heard of what.
 *
 * Not every order of steps is tried. A step is _free_ when it reads only words that are settled for
 * its thread, touches only words that are private to it, accesses plain data where `Ordering` says so,
 * or leaves a sleep that another thread has ended. Whatever the others do before the thread takes it, its result and its effect are the same,
 * and so are theirs: it can change places with each of their steps. So each schedule has a twin in
 * which the free step is taken at once, and in which every thread sees what it saw before; the twin
 * goes wrong where the schedule did, and ends in the same memory. (The field's name for it: a free
 * step is a persistent set of one. P. Godefroid, Partial-Order Methods, 1996.) Nobody is put off for
 * ever: between two states that are kept lie a step and the free steps behind it, from a kept state
 * every thread goes on, and a thread that has nothing but free steps is a violation.
 *
 * What is settled or private is for the model to say. Each access is held against it, and
 * `reduction_test.ts` asks in every state of small models whether it lasts, and whether both ways
 * find the same violations, the same ends and the same results of each operation.
 *
 * States when this was written; full is one step for each access, and all threads told apart:
 *
 * | clients x servers x ports | full | kept |
 * | --- | --- | --- |
 * | sessions, 2 x 2 x 1, 31 strings, one parity | 38 766 836 | 1 142 282 |
 * | sessions, 2 x 1 x 2, 7 strings | 695 026 | 18 281 |
 * | sessions, 2 x 2 x 1, `sr`, hints tidied | 7 640 228 | 587 968 |
 * | sleepers, 1 x 1 x 1, one call | 104 397 | 78 996 |
 *
 * @throws {RangeError} when there are more states than `stateCountMax`
 */
export function exploreAll(model: Model, options: ExploreOptions): Exploration {
  return new Search(model, options).run();
}

/**
 * Follows a random schedule to its end for each seed; returns the first violation, with the schedule
 * and the seed, which gives the same schedule again.
 *
 * @param seeds none of them 0
 */
export function exploreRandom(model: Model, seeds: Iterable<number>): string | undefined {
  const machine = new Machine(model, { isStepwise: false });
  for (const seed of seeds) {
    // Spread over all bits: the first numbers from small seeds are alike in their low bits.
    const random = randomGenerator(Math.imul(seed, 0x9e3779b1));
    const violation = followRandom(machine, random);
    if (violation !== undefined) return `${violation}\nseed ${seed}`;
  }
}

function followRandom(machine: Machine, random: () => number): string | undefined {
  const schedule: string[] = [];
  machine.schedule = schedule;
  machine.start();
  while (machine.violations.length === 0) {
    const ready = machine.readyThreads();
    if (ready.length === 0) break;
    machine.step(ready[random() % ready.length]!);
  }
  const violation = machine.violations[0] ?? machine.faultAtEnd();
  return violation && [violation, ...schedule].join("\n");
}

class Search {
  readonly #model: Model;
  readonly #options: ExploreOptions;
  readonly #machine: Machine;
  readonly #table: StateTable;
  readonly #state: Int32Array;
  readonly #next: Int32Array;
  /** From which state, and by whose step, each state was reached first. */
  readonly #origins: { readonly index: number; readonly thread: number }[] = [];
  readonly #steps: StepList | undefined;
  readonly #violations = new Set<string>();
  readonly #ends = new Set<string>();
  #violation: string | undefined;

  constructor(model: Model, options: ExploreOptions) {
    const { isStepwise = false, mustEnd = false, tellsAlikeApart = mustEnd } = options;
    if (mustEnd) this.#steps = new StepList();
    this.#model = model;
    this.#options = options;
    this.#machine = new Machine(model, { isStepwise });
    const { stateLength, order } = this.#machine;
    const symmetry = tellsAlikeApart ? undefined : model.symmetry;
    const canonical = symmetry && new AlikeThreads(model, { symmetry, order });
    this.#table = new StateTable(stateLength, canonical);
    this.#state = new Int32Array(stateLength);
    this.#next = new Int32Array(stateLength);
  }

  run(): Exploration {
    this.#machine.start();
    this.#noteViolations(-1, -1);
    this.#keep(-1, -1);
    for (let index = 0; index < this.#table.count && this.#goesOn(); index++) this.#expand(index);
    if (this.#steps && this.#goesOn()) this.#noteEndless(this.#steps);
    if (this.#options.checksBoundaries) this.#noteBoundaries();
    return {
      stateCount: this.#table.count,
      violation: this.#violation,
      violations: this.#violations,
      ends: this.#ends,
      localStepCount: this.#machine.localStepCount,
    };
  }

  #goesOn(): boolean {
    return this.#violation === undefined || this.#options.findsAll === true;
  }

  #expand(index: number): void {
    this.#table.read(index, this.#state);
    this.#machine.load(this.#state);
    const ready = this.#machine.readyThreads();
    this.#steps?.beginState(ready.reduce((bits, thread) => bits | 1 << thread, 0));
    if (ready.length === 0) this.#noteEnd(index);
    for (const thread of ready) {
      this.#machine.load(this.#state);
      this.#machine.step(thread);
      this.#keep(index, thread);
      if (this.#machine.violations.length > 0) this.#noteViolations(index, thread);
    }
  }

  #keep(index: number, thread: number): void {
    this.#machine.save(this.#next);
    const countBefore = this.#table.count;
    const target = this.#table.add(this.#next);
    if (thread >= 0) this.#steps?.add(target, this.#machine.takers);
    if (target < countBefore) return;
    this.#origins.push({ index, thread });
    if (this.#table.count <= this.#options.stateCountMax) return;
    throw new RangeError(
      `Cannot explore the model as it has more than ${this.#options.stateCountMax} states`,
    );
  }

  #noteEnd(index: number): void {
    const { memory } = this.#machine;
    this.#ends.add(this.#model.stateWords.map((word) => memory[word]).join());
    const fault = this.#machine.faultAtEnd();
    if (fault !== undefined) this.#note(fault, () => this.#scheduleTo(index));
  }

  #noteEndless(steps: StepList): void {
    steps.finish();
    const index = findFairCycle(steps, this.#model.programs.length);
    if (index !== undefined) this.#note("It can go on for ever", () => this.#scheduleTo(index));
  }

  #noteBoundaries(): void {
    const fault = this.#machine.faultOfBoundaries();
    if (fault !== undefined) this.#note(fault, () => []);
  }

  #noteViolations(index: number, thread: number): void {
    for (const violation of this.#machine.violations.slice()) {
      this.#note(violation, () => this.#scheduleTo(index, thread));
    }
  }

  #note(violation: string, schedule: () => readonly string[]): void {
    this.#violations.add(violation);
    this.#violation ??= [violation, ...schedule()].join("\n");
  }

  /** What the threads do on the way to a state, and in one more step of a thread. */
  #scheduleTo(index: number, thread = -1): string[] {
    const turns = [thread];
    for (let at = index; at > 0; at = this.#origins[at]!.index) {
      turns.push(this.#origins[at]!.thread);
    }
    const schedule: string[] = [];
    this.#machine.schedule = schedule;
    this.#machine.start();
    for (const turn of turns.reverse()) if (turn >= 0) this.#machine.step(turn);
    this.#machine.schedule = undefined;
    return schedule;
  }
}
