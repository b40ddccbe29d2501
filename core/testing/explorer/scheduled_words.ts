import type { Words } from "../../memory/words.ts";
import type { Condition, Operation } from "./operation.ts";

/** Thrown through a program when it has come to its next operation. Not an error. */
const SUSPENDED = Symbol("suspended");

/** Waits are at least so long when there is no limit: what timers take. */
const UNLIMITED_MILLISECONDS = 2 ** 31 - 1;

const NOTHING = {
  value: 0,
  expected: 0,
  condition: undefined,
  endSeconds: Infinity,
} as const;

/**
 * What stands in for `SharedWords` under the explorer: finds out what a program does next.
 *
 * A synchronous program cannot be stopped in the middle, so it is run again from its start:
 * operations that it has done return their recorded results, the next one is noted, and the program
 * is left by a throw. The memory is elsewhere: nothing is read or written here. While a program runs,
 * time and timers are the model's, and its looks find the words as `globalThis.portlabModel`.
 */
export class ScheduledWords implements Words {
  readonly plain: Int32Array;
  /** The operation before which the program stands; absent when it ended. */
  operation: Operation | undefined;
  /** What the program itself found wrong. */
  violation: string | undefined;
  /** What `boundary` said since the last result. */
  label: string | undefined;
  readonly #results: readonly number[];
  readonly #timeWord: number | undefined;
  /** Where the program is, for boundaries within the core; `boundary` sets it, too. */
  place = "";
  readonly #remembered = new Map<string, unknown>();
  readonly #turnWork: (() => void)[] = [];
  #position = 0;
  #seconds = 0;
  #isSettingUp = false;
  #hasStepped = false;

  /**
   * @param results what the operations up to now returned
   * @param memory its size, and where its clock is, if there is one
   */
  constructor(
    results: readonly number[],
    memory: { readonly memoryBytes: number; readonly timeWord: number | undefined },
  ) {
    this.#results = results;
    this.#timeWord = memory.timeWord;
    this.plain = this.#plainView(new Int32Array(memory.memoryBytes / 4));
  }

  /** Runs the program up to its next operation, its end or a violation. */
  run(program: (words: ScheduledWords) => void): void {
    (globalThis as { portlabModel?: ScheduledWords }).portlabModel = this;
    const { setTimeout } = globalThis;
    const now = performance.now;
    performance.now = () => this.#milliseconds();
    globalThis.setTimeout = ((work: () => void) => this.#turnWork.push(work)) as typeof setTimeout;
    try {
      program(this);
    } catch (thrown) {
      // What a program makes of the throw that suspends it is not its own doing.
      if (!this.operation) this.violation ??= String(thrown);
    } finally {
      performance.now = now;
      globalThis.setTimeout = setTimeout;
    }
  }

  load(word: number): number {
    return this.#next({ kind: "load", word });
  }

  peek(word: number): number {
    return this.#next({ kind: "peek", word });
  }

  store(word: number, value: number): void {
    this.#next({ kind: "store", word, value });
  }

  exchange(word: number, value: number): number {
    return this.#next({ kind: "exchange", word, value });
  }

  compareExchange(word: number, expected: number, value: number): number {
    return this.#next({ kind: "compareExchange", word, expected, value });
  }

  add(word: number, value: number): number {
    return this.#next({ kind: "add", word, value });
  }

  or(word: number, value: number): number {
    return this.#next({ kind: "or", word, value });
  }

  and(word: number, value: number): number {
    return this.#next({ kind: "and", word, value });
  }

  xor(word: number, value: number): number {
    return this.#next({ kind: "xor", word, value });
  }

  wait(word: number, value: number, milliseconds = Infinity): void {
    const isLimited = milliseconds < UNLIMITED_MILLISECONDS;
    const endSeconds = isLimited ? this.#seconds + Math.ceil(milliseconds / 1000) : Infinity;
    this.#next({ kind: "wait", word, value, endSeconds });
  }

  /** As `wait`: for a core whose asynchronous functions were made synchronous. */
  waitAsync(word: number, value: number, milliseconds?: number): Promise<void> {
    this.wait(word, value, milliseconds);
    return undefined as unknown as Promise<void>;
  }

  notify(word: number): void {
    this.#next({ kind: "notify", word });
  }

  /** Runs operations before the first step of any thread, one thread after the other. */
  setUp<T>(operations: () => T): T {
    this.#isSettingUp = true;
    try {
      return operations();
    } finally {
      this.#isSettingUp = false;
    }
  }

  /** A step that can be taken only while the condition holds; returns its outcome. */
  until(condition: Condition): number {
    return this.#next({ kind: "until", word: -1, condition });
  }

  /** The model's clock, which stands still where it has none. */
  #milliseconds(): number {
    if (this.#timeWord === undefined) return 0;
    this.#seconds = this.load(this.#timeWord);
    return this.#seconds * 1000;
  }

  /** Ends another thread wherever it is: it is known to be dead afterwards. */
  end(thread: number): void {
    this.#next({ kind: "end", word: thread });
  }

  /**
   * Says that everything local is known from `label`, and from what is remembered, from here on: so
   * states which differ only in how they came here are one.
   */
  boundary(label: string): void {
    this.place = label;
    this.#setLabel(label);
  }

  /** A boundary where a turn of a loop begins in the core, at the program's `place`. */
  turn(loop: string): void {
    this.#setLabel(`${this.place} / ${loop}`);
  }

  /** Lets the event loop have its turn: timers fire. */
  takeTurns(): void {
    for (const work of this.#turnWork.splice(0)) work();
  }

  /** Notes what an object of the program holds, which makes a difference behind a boundary. */
  remember<Value>(what: string, value: Value): Value {
    this.#remembered.set(what, value);
    return value;
  }

  #setLabel(label: string): void {
    if (this.#position !== this.#results.length || this.operation) return;
    // In whatever order it came to know them.
    const remembered = [...this.#remembered].map(([what, value]) => `${what},${textOf(value)}`);
    this.label = [label, ...remembered.sort()].join("; ");
  }

  /** Ends the program as one that went wrong, whoever catches what is thrown. */
  violate(text: string): never {
    if (!this.operation) this.violation ??= text;
    throw SUSPENDED;
  }

  #next(access: Pick<Operation, "kind" | "word"> & Partial<Operation>): number {
    const isSetup = this.#isSettingUp;
    if (isSetup && this.#hasStepped) this.violate("The program sets up after its first step");
    this.#hasStepped = !isSetup;
    if (this.#position < this.#results.length) return this.#results[this.#position++]!;
    if (!this.operation && this.violation === undefined) {
      const site = access.kind === "peek" ? siteOfPeek() : undefined;
      this.operation = { ...NOTHING, isSetup, site, ...access };
    }
    throw SUSPENDED;
  }

  /** Bytes that the program reaches by views of its own, those of packets, are its alone. */
  #plainView(packets: Int32Array): Int32Array {
    return new Proxy(packets, {
      get: (memory, key) => {
        const word = Number(key as string);
        if (!Number.isInteger(word)) return Reflect.get(memory, key, memory);
        return this.#next({ kind: "read", word });
      },
      set: (_memory, key, value) => {
        this.#next({ kind: "write", word: Number(key as string), value });
        return true;
      },
    });
  }
}

function textOf(value: unknown): string {
  return String(value instanceof Set || value instanceof Map ? [...value] : value);
}

/** The frames of a stack, as V8 hands them to `prepareStackTrace`. */
interface Frame {
  getTypeName(): string | null;
  getFunctionName(): string | null;
}

/** The function that called `peek()`: `Class.method`. */
function siteOfPeek(): string {
  // The text of a stack is traced back to its sources first, which takes a hundred times as long.
  const errors = Error as unknown as { prepareStackTrace: unknown };
  const { prepareStackTrace } = errors;
  errors.prepareStackTrace = (_error: unknown, frames: unknown) => frames;
  const frames = new Error().stack as unknown as readonly Frame[];
  errors.prepareStackTrace = prepareStackTrace;
  const caller = frames[frames.findIndex((frame) => frame.getFunctionName() === "peek") + 1];
  return [caller?.getTypeName(), caller?.getFunctionName()].filter((name) => name).join(".");
}
