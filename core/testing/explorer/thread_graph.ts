import type { Program } from "./model.ts";
import { type Operation, operationText } from "./operation.ts";
import { ScheduledWords } from "./scheduled_words.ts";

/** Where a thread is: before an operation, at its end, or stopped by a violation. */
export interface LocalState {
  /** Equal for local states that are equal, of this thread and of threads that are alike. */
  readonly number: number;
  /** Absent at the end. */
  readonly operation: Operation | undefined;
  readonly violation: string | undefined;
  /** Where each result of the operation leads, as far as it is known. */
  readonly next: Map<number, LocalState>;
  /** How it was first reached; absent at the start. */
  readonly origin: Origin | undefined;
}

interface Origin {
  readonly before: LocalState;
  readonly result: number;
}

/** Numbers for names, the same number for the same name. */
export class Numbering {
  readonly #numbers = new Map<string, number>();

  of(name: string): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    this.#numbers.set(name, this.#numbers.size);
    return this.#numbers.size - 1;
  }
}

/** A thread among those of its model. */
export interface GraphOptions {
  readonly thread: number;
  readonly program: Program;
  readonly memoryBytes: number;
  /** Shared by all threads. */
  readonly numbering: Numbering;
  /** Words whose value means a thread: see `Symmetry`. */
  readonly ownerWords: ReadonlySet<number>;
}

/**
 * The local states of one thread and the steps between them. The program is run once for each step
 * of this graph, not for each step of each schedule: in a known local state, with a known result,
 * what comes next is known.
 */
export class ThreadGraph {
  readonly start: LocalState;
  readonly #options: GraphOptions;
  readonly #states: LocalState[] = [];
  #stepCount = 0;

  constructor(options: GraphOptions) {
    this.#options = options;
    this.start = this.#run(undefined);
  }

  /** How many pairs of an operation and a result there were. */
  get stepCount(): number {
    return this.#stepCount;
  }

  /** The local state of this number, which this thread has been in before. */
  at(number: number): LocalState {
    return this.#states[number]!;
  }

  /** Where the result of its operation leads from a local state. */
  after(before: LocalState, result: number): LocalState {
    const known = before.next.get(result);
    if (known) return known;
    const next = this.#run({ before, result });
    before.next.set(result, next);
    this.#stepCount++;
    return next;
  }

  #run(origin: Origin | undefined): LocalState {
    const { program, numbering, memoryBytes } = this.#options;
    const words = new ScheduledWords(resultsUpTo(origin), memoryBytes);
    words.run(program);
    const { operation, violation } = words;
    const number = numbering.of(this.#nameOf(words, origin));
    const known = this.#states[number];
    if (known) checkSame([known.operation, operation], words.label);
    return this.#states[number] ??= { number, operation, violation, next: new Map(), origin };
  }

  #nameOf({ operation, violation, label }: ScheduledWords, origin: Origin | undefined): string {
    if (violation !== undefined) return `violation ${violation}`;
    if (!operation) return "end";
    if (label !== undefined) return `at ${label}`;
    if (!origin) return "start";
    const { before, result } = origin;
    // An owner id means another thread to each of the alike threads: who knows one is not alike.
    const knowsOwner = result !== 0 && this.#options.ownerWords.has(before.operation!.word);
    const name = `after ${before.number} ${result}`;
    return knowsOwner ? `${name} as ${this.#options.thread}` : name;
  }
}

function resultsUpTo(origin: Origin | undefined): number[] {
  const results: number[] = [];
  for (let at = origin; at; at = at.before.origin) results.push(at.result);
  return results.reverse();
}

function checkSame(operations: readonly (Operation | undefined)[], label?: string): void {
  const texts = operations.map((operation) => operation && operationText(operation));
  if (texts[0] === texts[1]) return;
  throw new Error(
    `Cannot explore the model as the boundary "${label}" must stand before one operation: there are ${
      texts.join(" and ")
    }`,
  );
}
