import type { Words } from "../../memory/words.ts";
import { type Condition, type Operation, operationText } from "./operation.ts";

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
 * is left by a throw. The memory is elsewhere: nothing is read or written here.
 */
export class ScheduledWords implements Words {
  readonly plain: Int32Array;
  /** The operation before which the program stands; absent when it ended. */
  operation: Operation | undefined;
  /** What the program itself found wrong. */
  violation: string | undefined;
  /** What `boundary` said since the last result. */
  label: string | undefined;
  /** How many results ago the program stood where it stands now; see {@linkcode turn}. */
  turnLength: number | undefined;
  readonly #results: readonly number[];
  readonly #timeWord: number | undefined;
  /** What was done since `boundary`, and where the turns of each loop began. */
  #done: Operation[] = [];
  #turns = new Map<string, number[]>();
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
    setModelClock(() => this.#milliseconds());
    try {
      program(this);
    } catch (thrown) {
      // What a program makes of the throw that suspends it is not its own doing.
      if (!this.operation) this.violation ??= String(thrown);
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

  wait(word: number, value: number, milliseconds = Infinity): void {
    const isLimited = milliseconds < UNLIMITED_MILLISECONDS;
    const endSeconds = isLimited ? this.#seconds + Math.ceil(milliseconds / 1000) : Infinity;
    this.#next({ kind: "wait", word, value, endSeconds });
  }

  /** As `wait`: the core has to be changed so that its asynchronous functions are synchronous. */
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

  /** Ends another thread wherever it is: it is known to be dead afterwards. */
  end(thread: number): void {
    this.#next({ kind: "end", word: thread });
  }

  /**
   * Says that a turn of a loop begins. A turn that does and sees the same as the one before it leaves
   * the program where that one did, so that a loop that waits has an end of states. For loops that
   * keep nothing from turn to turn but what they saw, and what makes no difference to the next.
   */
  turn(loop: string): void {
    const starts = this.#turns.get(loop) ?? [];
    this.#turns.set(loop, starts);
    starts.push(this.#position);
    if (this.#position === this.#results.length && !this.operation) {
      this.turnLength ??= this.#lastTurnLength(starts);
    }
  }

  /**
   * Says that everything local is known from `label` from here on, so that states which differ only
   * in how they came here are one.
   */
  boundary(label: string): void {
    this.phase();
    if (this.#position === this.#results.length && !this.operation) this.label = label;
  }

  /** Says that turns from here on are none of those before. */
  phase(): void {
    this.#turns.clear();
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
    const isKnown = this.#position < this.#results.length;
    const site = !isKnown && access.kind === "peek" ? siteOfPeek() : undefined;
    const operation = { ...NOTHING, isSetup, site, ...access };
    if (isKnown) {
      this.#done.push(operation);
      return this.#results[this.#position++]!;
    }
    if (this.violation === undefined) this.operation ??= operation;
    throw SUSPENDED;
  }

  #milliseconds(): number {
    if (this.#timeWord === undefined) this.violate("The model has no clock");
    this.#seconds = this.load(this.#timeWord);
    return this.#seconds * 1000;
  }

  /** The length of the turn that ends here, if the one before it was the same. */
  #lastTurnLength(starts: readonly number[]): number | undefined {
    const [first, second, end] = starts.slice(-3);
    if (end === undefined || end === second || end - second! !== second! - first!) return undefined;
    const length = end - second!;
    for (let at = second!; at < end; at++) {
      if (this.#results[at] !== this.#results[at - length]) return undefined;
      const [now, before] = [this.#done[at]!, this.#done[at - length]!];
      if (operationText(now) !== operationText(before)) return undefined;
    }
    return length;
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

/** Where a core that was changed for it looks for the time: see `MODEL_CLOCK`. */
function setModelClock(now: () => number): void {
  (globalThis as { portlabModelClock?: () => number }).portlabModelClock = now;
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
