import { CheckedRules } from "./checked_rules.ts";
import type { Model } from "./model.ts";
import { type Operation, operationText, resultOf, valueAfter } from "./operation.ts";
import { type LocalState, Numbering, ThreadGraph } from "./thread_graph.ts";

/** Whether a thread can go on; below `asleep` it can. */
const Status = { ready: 0, woken: 1, asleep: 2, halted: 3, ended: 4 } as const;
const STATUS_BITS = 3;
const STATUS_MASK = (1 << STATUS_BITS) - 1;

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
  /** How many numbers make a state. */
  readonly stateLength: number;
  /** What went wrong since the last `start` or `load`. */
  readonly violations: string[] = [];
  /** Filled with the operations as they are done, when there. */
  schedule: string[] | undefined;
  readonly #model: Model;
  readonly #threadCount: number;
  readonly #rules: CheckedRules;
  readonly #isStepwise: boolean;
  readonly #graphs: readonly ThreadGraph[];
  readonly #locals: LocalState[] = [];
  readonly #status: Uint8Array;

  constructor(model: Model, options: { readonly isStepwise: boolean }) {
    const { initialMemory, programs, stateWords } = model;
    this.#model = model;
    this.memory = initialMemory.slice();
    this.#rules = new CheckedRules(model, this.memory);
    this.#isStepwise = options.isStepwise;
    this.#threadCount = programs.length;
    this.stateLength = stateWords.length + programs.length;
    this.#graphs = graphsOf(model);
    this.#status = new Uint8Array(programs.length);
  }

  /** How many pairs of an operation and a result the threads have seen. */
  get localStepCount(): number {
    return this.#graphs.reduce((sum, { stepCount }) => sum + stepCount, 0);
  }

  /** Goes to the first state. */
  start(): void {
    this.memory.set(this.#model.initialMemory);
    this.violations.length = 0;
    this.#graphs.forEach((graph, thread) => this.#enter(thread, graph.start));
    for (let thread = 0; thread < this.#threadCount; thread++) {
      while (this.#locals[thread]!.operation?.isSetup) this.#take(thread);
    }
    this.#takeFree();
  }

  /** Goes to a state that {@linkcode save} wrote. */
  load(state: Int32Array): void {
    const words = this.#model.stateWords;
    for (let at = 0; at < words.length; at++) this.memory[words[at]!] = state[at]!;
    for (let thread = 0; thread < this.#threadCount; thread++) {
      const entry = state[words.length + thread]!;
      this.#status[thread] = entry & STATUS_MASK;
      this.#locals[thread] = this.#graphs[thread]!.at(entry >> STATUS_BITS);
    }
    this.violations.length = 0;
  }

  save(state: Int32Array): void {
    const words = this.#model.stateWords;
    for (let at = 0; at < words.length; at++) state[at] = this.memory[words[at]!]!;
    for (let thread = 0; thread < this.#threadCount; thread++) {
      const { number } = this.#locals[thread]!;
      state[words.length + thread] = number << STATUS_BITS | this.#status[thread]!;
    }
  }

  /** The threads that can take a step now. */
  readyThreads(): number[] {
    const ready: number[] = [];
    for (let thread = 0; thread < this.#threadCount; thread++) {
      if (this.#canStep(thread)) ready.push(thread);
    }
    return ready;
  }

  /** What the thread is about to do; `undefined` when it ended or was stopped by a violation. */
  operationOf(thread: number): Operation | undefined {
    return this.#status[thread]! < Status.halted ? this.#locals[thread]!.operation : undefined;
  }

  /** Takes the thread's step, and every free step after it. */
  step(thread: number): void {
    this.#take(thread);
    this.#takeFree();
  }

  /** What is wrong with a state in which no thread can step; `undefined` when nothing is. */
  faultAtEnd(): string | undefined {
    if (this.#status.includes(Status.halted)) return undefined;
    if (this.#status.every((status) => status === Status.ended)) {
      return this.#model.faultAtEnd(this.memory);
    }
    const stuck = this.#locals.flatMap(({ operation = [] }) => operation).map(operationText);
    return `Deadlock: ${stuck.sort().join("; ")}`;
  }

  #canStep(thread: number): boolean {
    if (this.#status[thread]! >= Status.asleep) return false;
    return this.#locals[thread]!.operation!.condition?.outcome(this.memory) !== 0;
  }

  #takeFree(): void {
    if (this.#isStepwise) return;
    for (let hasTaken = true; hasTaken;) {
      hasTaken = false;
      for (let thread = 0; thread < this.#threadCount; thread++) {
        if (this.#takeFreeOf(thread)) hasTaken = true;
      }
    }
  }

  /** Takes the thread's free steps; returns whether there were any. */
  #takeFreeOf(thread: number): boolean {
    let count = 0;
    for (; this.#isFree(thread); count++) {
      if (count === FREE_STEPS_MAX) this.#halt(thread, "The thread goes on for ever by itself");
      else this.#take(thread);
    }
    return count > 0;
  }

  /** Whether the thread's next step concerns no other: see `exploreAll`. */
  #isFree(thread: number): boolean {
    if (!this.#canStep(thread)) return false;
    return this.#status[thread] === Status.woken ||
      this.#rules.isFree(thread, this.#locals[thread]!.operation!);
  }

  #take(thread: number): void {
    const operation = this.#locals[thread]!.operation!;
    this.schedule?.push(`${thread}: ${operationText(operation)}`);
    const objection = this.#objection(thread, operation);
    if (objection !== undefined) return this.#halt(thread, objection);
    switch (operation.kind) {
      case "until":
        return this.#advance(thread, operation.condition!.outcome(this.memory));
      case "notify":
        this.#wake(operation.word);
        return this.#advance(thread, 0);
      default:
        return this.#access(thread, operation);
    }
  }

  #access(thread: number, operation: Operation): void {
    const { kind, word, value } = operation;
    const held = this.memory[word]!;
    if (kind === "wait" && held === value && this.#status[thread] !== Status.woken) {
      this.#status[thread] = Status.asleep;
      return;
    }
    this.memory[word] = valueAfter(operation, held);
    this.#advance(thread, resultOf(operation, held));
  }

  #objection(thread: number, operation: Operation): string | undefined {
    const objection = this.#rules.objection(thread, operation);
    if (objection !== undefined) return objection;
    for (let other = 0; other < this.#threadCount; other++) {
      if (other === thread || this.#status[other]! >= Status.halted) continue;
      if (!this.#rules.isCountedOut(other, operation)) continue;
      return `A word is not left alone, though another thread counts on it: ${
        operationText(operation)
      }`;
    }
  }

  #wake(word: number): void {
    for (let thread = 0; thread < this.#threadCount; thread++) {
      if (this.#status[thread] !== Status.asleep) continue;
      if (this.#locals[thread]!.operation!.word === word) this.#status[thread] = Status.woken;
    }
  }

  #advance(thread: number, result: number): void {
    this.#enter(thread, this.#graphs[thread]!.after(this.#locals[thread]!, result));
  }

  #enter(thread: number, local: LocalState): void {
    this.#locals[thread] = local;
    this.#status[thread] = local.operation ? Status.ready : Status.ended;
    if (local.violation !== undefined) this.#halt(thread, local.violation);
  }

  #halt(thread: number, violation: string): void {
    this.#status[thread] = Status.halted;
    this.violations.push(violation);
  }
}

function graphsOf({ initialMemory, programs, symmetry }: Model): ThreadGraph[] {
  const numbering = new Numbering();
  const ownerWords = new Set(symmetry?.ownerWords);
  const memoryBytes = initialMemory.byteLength;
  return programs.map((program, thread) =>
    new ThreadGraph({ thread, program, memoryBytes, numbering, ownerWords })
  );
}
