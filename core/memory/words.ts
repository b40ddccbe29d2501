/**
 * Everything that the protocol does with shared memory. The product uses {@linkcode SharedWords} only;
 * the explorer in `testing/explorer/`, which visits every interleaving, puts its own in. Word arguments count 32-bit
 * words from the start of the buffer. Nothing here blocks but `wait`.
 */
export interface Words {
  /** The memory, for what the caller owns: packets and headers. Plain, unordered accesses. */
  readonly plain: Int32Array;
  /** Reads in the total order of all atomic accesses. */
  load(word: number): number;
  /** Writes in the total order of all atomic accesses. */
  store(word: number, value: number): void;
  /** Writes, and returns what was there. */
  exchange(word: number, value: number): number;
  /** Writes `next` if `expected` is there; returns what was there. */
  compareExchange(word: number, expected: number, next: number): number;
  /** Adds; returns what was there. */
  add(word: number, value: number): number;
  /** Sets bits; returns what was there. */
  or(word: number, bits: number): number;
  /** Keeps only these bits; returns what was there. */
  and(word: number, bits: number): number;
  /** Turns bits over; returns what was there. */
  xor(word: number, bits: number): number;
  /**
   * Reads without order: may be stale, for as long as no atomic access follows. A tenth of the
   * price of `load`; right where an atomic access confirms what it saw, or where the caller wrote
   * the word itself.
   */
  peek(word: number): number;
  /** Sleeps while the word holds `value`, until notified, at most `milliseconds`. Blocks. */
  wait(word: number, value: number, milliseconds: number): void;
  /** Like `wait`, without blocking: settles when it would return, or when another's wait on the word ends. */
  waitAsync(word: number, value: number, milliseconds: number): Promise<void>;
  /** Wakes everybody who waits on the word. */
  notify(word: number): void;
}

/** Time between two ticks of a timer that does nothing; any long time will do. */
const KEEP_ALIVE_MILLISECONDS = 1_000_000;
/**
 * The longest asynchronous wait whose end is left to the engine: V8 keeps some hundred bytes of each that
 * it is to end, until its time is over, however early it was woken.
 */
const ENGINE_MILLISECONDS_MAX = 10;
/** Timers take no longer time. */
const TIMER_MILLISECONDS_MAX = 2 ** 31 - 1;

/**
 * Words of a `SharedArrayBuffer`.
 *
 * Every JavaScript atomic is sequentially consistent, so no method chooses an order; which order
 * matters, and what would go wrong without it, is said where the methods are called. Each method is one
 * call of the `Atomics` function of its name; the compiler inlines it as long as a call site sees one
 * class only.
 *
 * @example
 * ```ts
 * import { SharedWords } from "./words.ts";
 * const words = new SharedWords(new SharedArrayBuffer(64));
 * words.store(3, 7);
 * if (words.load(3) !== 7) throw new Error("a word holds what was stored");
 * ```
 */
export class SharedWords implements Words {
  /** The whole memory, as plain words. */
  readonly plain: Int32Array<SharedArrayBuffer>;

  /** Takes a buffer of a whole number of words. */
  constructor(buffer: SharedArrayBuffer) {
    this.plain = new Int32Array(buffer);
  }

  // Sync: the accessors below take part in one total order. Partners and bad executions
  // are named by their callers: Mailboxes (ownership, locks), Hints, Doorbell, Channel.
  load(word: number): number {
    return Atomics.load(this.plain, word);
  }

  store(word: number, value: number): void {
    Atomics.store(this.plain, word, value);
  }

  exchange(word: number, value: number): number {
    return Atomics.exchange(this.plain, word, value);
  }

  compareExchange(word: number, expected: number, next: number): number {
    return Atomics.compareExchange(this.plain, word, expected, next);
  }

  add(word: number, value: number): number {
    return Atomics.add(this.plain, word, value);
  }

  or(word: number, bits: number): number {
    return Atomics.or(this.plain, word, bits);
  }

  and(word: number, bits: number): number {
    return Atomics.and(this.plain, word, bits);
  }

  // Sync: as the accessors above.
  xor(word: number, bits: number): number {
    return Atomics.xor(this.plain, word, bits);
  }

  peek(word: number): number {
    return this.plain[word]!;
  }

  // Sync: pairs with notify() after a store to the same word. The engine compares the word and
  // queues the sleeper in one step; a comparison outside it could sleep through the only notify.
  wait(word: number, value: number, milliseconds: number): void {
    Atomics.wait(this.plain, word, value, milliseconds);
  }

  async waitAsync(word: number, value: number, milliseconds: number): Promise<void> {
    const isShort = milliseconds <= ENGINE_MILLISECONDS_MAX;
    // Sync: as wait().
    const outcome = Atomics.waitAsync(this.plain, word, value, isShort ? milliseconds : Infinity);
    if (!outcome.async) return;
    // The wait alone does not keep an event loop running (Deno 2.9): where nothing else is to come,
    // the program would end here, in the middle of a call. Nor does a wake that is on its way, hence
    // no timer that ends by itself.
    const alive = isShort || milliseconds > TIMER_MILLISECONDS_MAX
      ? setInterval(() => {}, KEEP_ALIVE_MILLISECONDS)
      : setInterval(() => this.notify(word), milliseconds);
    try {
      await outcome.value;
    } finally {
      clearInterval(alive);
    }
  }

  // Sync: pairs with wait(). Called after the store that the sleeper waits for; called before it,
  // the sleeper could look, find nothing and sleep for good.
  notify(word: number): void {
    Atomics.notify(this.plain, word);
  }
}

let threadMayBlock: boolean | undefined;

/**
 * Whether this thread may sleep in {@linkcode Words.wait}: every thread of Deno and Node, and the
 * workers of a page. Not the main thread of a page, which must go on drawing.
 *
 * @example
 * ```ts
 * import { mayBlock } from "./words.ts";
 * if (!mayBlock()) throw new Error("Deno's threads may");
 * ```
 */
export function mayBlock(): boolean {
  return threadMayBlock ??= tryToWait();
}

function tryToWait(): boolean {
  try {
    // Sync: with nobody: the word is new, and as it holds another value nobody sleeps. Where it is
    // forbidden to wait, the engine says so before it looks at the word.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 1, 0);
    return true;
  } catch {
    return false;
  }
}
