import type { Model } from "./model.ts";
import { type Operation, operationText } from "./operation.ts";
import { type LocalState, Numbering, ThreadGraph } from "./thread_graph.ts";

/** Whether a thread can go on: below `asleep` it can. */
const Status = { ready: 0, woken: 1, asleep: 2, halted: 3, ended: 4 } as const;
const STATUS_BITS = 3;
const STATUS_MASK = (1 << STATUS_BITS) - 1;

/** Where each thread of a model is, in one state at a time. */
export class Threads {
  readonly count: number;
  readonly #graphs: readonly ThreadGraph[];
  readonly #locals: LocalState[];
  readonly #status: Uint8Array;
  readonly #timeWord: number | undefined;
  readonly #areProcesses: boolean;

  constructor(model: Model) {
    this.#timeWord = model.timeWord;
    this.#areProcesses = model.areProcesses ?? false;
    this.count = model.programs.length;
    this.#graphs = graphsOf(model);
    this.#locals = this.#graphs.map(({ start }) => start);
    this.#status = new Uint8Array(this.count);
  }

  /** How many pairs of an operation and a result the threads have seen. */
  get localStepCount(): number {
    return this.#graphs.reduce((sum, { stepCount }) => sum + stepCount, 0);
  }

  /** See `ThreadGraph`. */
  faultOfBoundaries(): string | undefined {
    for (const graph of this.#graphs) {
      const fault = graph.faultOfBoundaries();
      if (fault !== undefined) return fault;
    }
  }

  load(state: Int32Array, first: number): void {
    for (let thread = 0; thread < this.count; thread++) {
      const entry = state[first + thread]!;
      this.#status[thread] = entry & STATUS_MASK;
      this.#locals[thread] = this.#graphs[thread]!.at(entry >> STATUS_BITS);
    }
  }

  save(state: Int32Array, first: number): void {
    for (let thread = 0; thread < this.count; thread++) {
      state[first + thread] = this.#locals[thread]!.number << STATUS_BITS | this.#status[thread]!;
    }
  }

  /** Goes to the start of a thread; returns what is wrong with it. */
  restart(thread: number): string | undefined {
    return this.#enter(thread, this.#graphs[thread]!.start);
  }

  /** Goes on behind the operation of a thread; returns what the program then found wrong. */
  advance(thread: number, result: number): string | undefined {
    return this.#enter(thread, this.#graphs[thread]!.after(this.#locals[thread]!, result));
  }

  /** What the thread is about to do; `undefined` when it ended or was halted. */
  operationOf(thread: number): Operation | undefined {
    return this.#status[thread]! < Status.halted ? this.#locals[thread]!.operation : undefined;
  }

  canStep(thread: number, memory: Int32Array): boolean {
    if (this.#status[thread] === Status.asleep) return this.#isOverslept(thread, memory);
    if (this.#status[thread]! > Status.asleep) return false;
    return this.#locals[thread]!.operation!.condition?.outcome(memory) !== 0;
  }

  /** Whether a sleep of the thread was ended by another, and it has not gone on yet. */
  isWoken(thread: number): boolean {
    return this.#status[thread] === Status.woken;
  }

  isAsleep(thread: number): boolean {
    return this.#status[thread] === Status.asleep;
  }

  sleep(thread: number): void {
    this.#status[thread] = Status.asleep;
  }

  /** Wakes everybody who sleeps on the word and hears of it. */
  wake(word: number): void {
    if (this.#areProcesses) return;
    for (let thread = 0; thread < this.count; thread++) {
      if (this.#status[thread] !== Status.asleep) continue;
      if (this.#locals[thread]!.operation!.word === word) this.#status[thread] = Status.woken;
    }
  }

  /** Ends the thread where it is, as if its worker had died. */
  end(thread: number): void {
    this.#enter(thread, this.#graphs[thread]!.end);
  }

  /** Stops the thread for good. */
  halt(thread: number): void {
    this.#status[thread] = Status.halted;
  }

  hasHalted(): boolean {
    return this.#status.includes(Status.halted);
  }

  /** What those that have not ended are about to do. */
  operations(): string[] {
    return this.#locals.flatMap(({ operation = [] }) => operation).map(operationText);
  }

  /** Whether the time of the thread's sleep is over, or its next nap does not begin. */
  #isOverslept(thread: number, memory: Int32Array): boolean {
    const { endSeconds, word, value } = this.#locals[thread]!.operation!;
    if (this.#areProcesses && memory[word] !== value) return true;
    return this.#timeWord !== undefined && memory[this.#timeWord]! >= endSeconds;
  }

  #enter(thread: number, local: LocalState): string | undefined {
    this.#locals[thread] = local;
    this.#status[thread] = local.operation ? Status.ready : Status.ended;
    return local.violation;
  }
}

function graphsOf({ initialMemory, programs, symmetry, timeWord }: Model): ThreadGraph[] {
  const numbering = new Numbering();
  const ownerWords = new Set(symmetry?.ownerWords);
  const memoryBytes = initialMemory.byteLength;
  return programs.map((program, thread) =>
    new ThreadGraph({ thread, program, memoryBytes, timeWord, numbering, ownerWords })
  );
}
