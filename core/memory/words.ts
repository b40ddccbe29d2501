/**
 * All operations of the protocols on shared memory. The product uses only {@linkcode SharedWords}; the
 * explorer in `testing/explorer/`, which visits every interleaving, has its own. Word arguments count
 * 32-bit words from the start of the buffer. Only `wait` blocks.
 */
export interface Words {
  /** The memory for plain, unordered accesses to what the caller owns: packets and headers. */
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
  /** Inverts bits; returns what was there. */
  xor(word: number, bits: number): number;
  /**
   * Reads without order: the value may be stale until an atomic access follows. Costs a tenth of a `load`.
   * Use it where an atomic access confirms the value, or where the caller wrote the word itself.
   */
  peek(word: number): number;
  /** Sleeps while the word holds `value`, until notified, for at most `milliseconds`. Blocks. */
  wait(word: number, value: number, milliseconds: number): void;
  /** As `wait`, without blocking. May also settle when another wait on the word ends. */
  waitAsync(word: number, value: number, milliseconds: number): Promise<void>;
  /** Wakes all that wait on the word. */
  notify(word: number): void;
}

/** The interval of a timer that does nothing. Any long time will do. */
const KEEP_ALIVE_MILLISECONDS = 1_000_000;
/**
 * The longest asynchronous wait with a time limit of the engine. For each of those V8 keeps some hundred
 * bytes until the limit, even if it was woken earlier.
 */
const ENGINE_MILLISECONDS_MAX = 10;
/** The longest time of a timer. */
const TIMER_MILLISECONDS_MAX = 2 ** 31 - 1;

/**
 * Words of a `SharedArrayBuffer`.
 *
 * All JavaScript atomics are sequentially consistent, so no method chooses an order. Comments at the calls
 * say which order matters, and what would go wrong without it. Each method is one call of the `Atomics`
 * function of its name, which the compiler inlines as long as a call site sees only one class.
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
  /** The whole memory, as plain words. Declared only, so that it is set once, and the compiler takes it for constant. */
  declare readonly plain: Int32Array<SharedArrayBuffer>;

  /**
   * Takes a buffer of a whole number of words.
   *
   * @param sizeBytes how much of it; all when absent
   */
  constructor(buffer: SharedArrayBuffer, sizeBytes = buffer.byteLength) {
    this.plain = new Int32Array(buffer, 0, sizeBytes / 4);
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
    // The wait alone does not keep an event loop running (Deno 2.9): a program with nothing else to do
    // would end here, in the middle of a call. A wake that is on its way does not either, so the timer
    // must not end by itself.
    const alive = isShort || milliseconds > TIMER_MILLISECONDS_MAX
      ? setInterval(() => {}, KEEP_ALIVE_MILLISECONDS)
      : setInterval(() => this.notify(word), milliseconds);
    try {
      await outcome.value;
    } finally {
      clearInterval(alive);
    }
  }

  // Sync: pairs with wait(). Called after the store that the sleeper waits for. If called before it, the
  // sleeper could look, find nothing and sleep forever.
  notify(word: number): void {
    Atomics.notify(this.plain, word);
  }
}

/** How long a sleeper whose waker may be in another process sleeps between two looks. */
export interface Naps {
  readonly firstMilliseconds: number;
  /** So late a wake from another process can be. */
  readonly longestMilliseconds: number;
}

/** How threads of several processes sleep on a word, where the system can do that. */
export interface Futex {
  /**
   * As {@linkcode Words.wait}, and for a wake of any process.
   *
   * @returns whether somebody has ended the sleep, as far as the system tells
   */
  wait(word: number, value: number, milliseconds: number): boolean;
  /** As {@linkcode wait}, without blocking. */
  waitAsync(word: number, value: number, milliseconds: number): Promise<boolean>;
  /** Wakes all that wait on the word by a futex, in this process and in others. */
  wake(word: number): void;
}

const NAPS: Naps = { firstMilliseconds: 0.5, longestMilliseconds: 8 };

/**
 * Words of memory that other processes map, too. The engine's sleepers are those of one process: a notify
 * of another one reaches nobody. So a sleep here is a row of naps that double, and between two of them the
 * word is looked at. With a {@linkcode futex} on both sides a wake from another process is as quick as one from this;
 * without, it is late by as much as the sleep has taken already, and never by more than 8 ms, unless `naps`
 * says otherwise.
 */
export class MappedWords extends SharedWords {
  readonly #peersRing: boolean;
  /** The words that event loops of this isolate sleep on, and how many of them. */
  readonly #slept = new Map<number, number>();
  /** Called before each nap: to look whether another process has died. */
  onNap: () => void = () => {};
  /** Called with each notify: to tell the other process by other means, such as a pipe. */
  onNotify: () => void = () => {};
  /** Longer where the other process tells of each notify. */
  naps: Naps = NAPS;
  /** By which sleepers of all processes find each other; the engine's own sleeps without. */
  futex: Futex | undefined;

  /**
   * @param peersRing whether the other processes change the word that a sleeper sleeps on, as those of this
   * library do; else every nap ends the sleep, for its caller to look at what they do change
   */
  constructor(buffer: SharedArrayBuffer, sizeBytes: number, peersRing: boolean) {
    super(buffer, sizeBytes);
    this.#peersRing = peersRing;
  }

  override wait(word: number, value: number, milliseconds: number): void {
    for (const nap of this.#naps(milliseconds)) {
      // Sync: as SharedWords.wait(), within the process. Of a waker elsewhere that has no futex only the store
      // counts: whoever wakes has changed the word, so that the next nap does not begin. Without an end of the
      // naps the store between the comparison and the sleep would be slept through for ever.
      const isEnded = this.futex?.wait(word, value, nap) ??
        Atomics.wait(this.plain, word, value, nap) !== "timed-out";
      if (isEnded || this.load(word) !== value) return;
    }
  }

  override async waitAsync(word: number, value: number, milliseconds: number): Promise<void> {
    this.#slept.set(word, (this.#slept.get(word) ?? 0) + 1);
    const alive = setInterval(() => {}, KEEP_ALIVE_MILLISECONDS); // as SharedWords.waitAsync()
    try {
      for (const nap of this.#naps(milliseconds)) {
        // Sync: as wait().
        const isEnded = this.futex
          ? await this.futex.waitAsync(word, value, nap)
          : await Atomics.waitAsync(this.plain, word, value, nap).value !== "timed-out";
        if (isEnded || this.load(word) !== value) return;
      }
    } finally {
      clearInterval(alive);
      const count = this.#slept.get(word)!;
      if (count > 1) this.#slept.set(word, count - 1);
      else this.#slept.delete(word);
    }
  }

  override notify(word: number): void {
    super.notify(word);
    this.futex?.wake(word);
    this.onNotify();
  }

  /** Wakes who sleeps in {@linkcode waitAsync} here, as another process has told that it notified. */
  wakeSleepers(): void {
    for (const word of this.#slept.keys()) super.notify(word);
  }

  /** How long to nap next, until the time is over. */
  *#naps(milliseconds: number): Generator<number> {
    const end = performance.now() + milliseconds;
    const { firstMilliseconds, longestMilliseconds } = this.naps;
    for (let nap = firstMilliseconds;; nap = Math.min(nap * 2, longestMilliseconds)) {
      this.onNap();
      yield Math.max(0, Math.min(nap, end - performance.now()));
      if (!this.#peersRing || performance.now() >= end) return;
    }
  }
}

let threadMayBlock: boolean | undefined;

/**
 * Whether this thread may sleep in {@linkcode Words.wait}: every thread of Deno and Node, and the
 * workers of a page. Not the main thread of a page, which must go on drawing.
 */
export function mayBlock(): boolean {
  return threadMayBlock ??= tryToWait();
}

function tryToWait(): boolean {
  try {
    // Sync: with nothing: the word is new, and holds another value, so that this does not sleep. Where a
    // wait is forbidden, the engine throws before it looks at the word.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 1, 0);
    return true;
  } catch {
    return false;
  }
}
