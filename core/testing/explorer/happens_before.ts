import type { Ordering } from "./model.ts";
import { type Operation, operationText, writesTo } from "./operation.ts";

const READ = 1;
const WRITE = 2;
const BITS_PER_THREAD = 2;
const BITS_PER_NUMBER = 32;

/**
 * Which accesses without order each thread and each atomic word has heard of: the vector clocks of a
 * race detector, cut down to what can still race.
 *
 * A place is data that is accessed without order. Of each place the last read and the last write of
 * each thread count, as one bit each, which is set for whoever has not heard of it. A new access sets
 * its bit for everybody but its thread. An atomic write tells its word what the thread has heard, in
 * the place of what the word had; an atomic read tells the thread what the word has. A thread that has
 * not heard of an access may not do one that conflicts with it: nothing orders the two, which
 * JavaScript's memory model calls a data race.
 */
export class HappensBefore {
  /** How many numbers it takes to keep. */
  readonly length: number;
  readonly #ordering: Ordering;
  readonly #bitsPerPlace: number;
  readonly #placesPerNumber: number;
  readonly #rowLength: number;
  /** The bits: a row for each thread, then a row for each atomic word. */
  readonly #rows: Int32Array;
  /** Where the row of each atomic word begins. */
  readonly #rowOf: readonly (number | undefined)[];
  /** The first thread's bits of every place in a number. */
  readonly #firstThreadBits: number;

  /** @param threadCount at most 16 */
  constructor(ordering: Ordering, threadCount: number) {
    const { placeCount, atomicWords } = ordering;
    this.#ordering = ordering;
    this.#bitsPerPlace = threadCount * BITS_PER_THREAD;
    this.#placesPerNumber = Math.floor(BITS_PER_NUMBER / this.#bitsPerPlace);
    const rowLength = Math.ceil(placeCount / this.#placesPerNumber);
    this.#rowLength = rowLength;
    this.length = (threadCount + atomicWords.length) * rowLength;
    this.#rows = new Int32Array(this.length);
    const rowOf: number[] = [];
    atomicWords.forEach((word, at) => rowOf[word] = (threadCount + at) * rowLength);
    this.#rowOf = rowOf;
    this.#firstThreadBits = Array.from({ length: this.#placesPerNumber })
      .reduce<number>((bits) => bits << this.#bitsPerPlace | READ | WRITE, 0);
  }

  /** Everybody has heard of everything. */
  start(): void {
    this.#rows.fill(0);
  }

  load(state: Int32Array, first: number): void {
    for (let at = 0; at < this.length; at++) this.#rows[at] = state[first + at]!;
  }

  save(state: Int32Array, first: number): void {
    for (let at = 0; at < this.length; at++) state[first + at] = this.#rows[at]!;
  }

  /** Makes two threads change places in what was saved. */
  swapThreads(
    state: Int32Array,
    options: { readonly first: number; readonly lower: number; readonly upper: number },
  ): void {
    const { first, lower, upper } = options;
    for (let at = 0; at < this.#rowLength; at++) {
      const slots = [lower, upper].map((thread) => first + thread * this.#rowLength + at);
      const held = state[slots[0]!]!;
      state[slots[0]!] = state[slots[1]!]!;
      state[slots[1]!] = held;
    }
    const [low, high] = [lower * BITS_PER_THREAD, upper * BITS_PER_THREAD];
    for (let at = first; at < first + this.length; at++) {
      const bits = state[at]!;
      const difference = (bits >>> low ^ bits >>> high) & this.#firstThreadBits;
      state[at] = bits ^ (difference << low | difference << high);
    }
  }

  /** Whether this is a plain access, where those are free steps. */
  isFree({ kind, word }: Operation): boolean {
    const isPlain = kind === "read" || kind === "write";
    return isPlain && this.#ordering.arePlainFree === true && this.#ordering.isPlain(word);
  }

  /** Why the thread must not do this now; `undefined` when it may. */
  objection(thread: number, operation: Operation, held: number): string | undefined {
    const { kind, word, site } = operation;
    const isPlain = kind === "read" || kind === "write";
    if (isPlain && !this.#ordering.isPlain(word)) return `Not atomic: ${operationText(operation)}`;
    if (kind === "peek" && this.#ordering.mayBeStale(thread, word, site)) return undefined;
    const place = this.#ordering.placeOf(word);
    if (place === undefined) {
      return kind === "peek" ? `Not ordered: ${operationText(operation)} in ${site}` : undefined;
    }
    const unheard = this.#rows[thread * this.#rowLength + this.#numberOf(place)]!;
    const isRace = (unheard >>> this.#shiftOf(place) & this.#conflicts(operation, held)) !== 0;
    return isRace ? `Data race: ${operationText(operation)}` : undefined;
  }

  /** Notes an access that nobody objected to. */
  note(thread: number, operation: Operation, held: number): void {
    const { kind, word, site } = operation;
    const isWrite = writesTo(operation, held);
    const isOrdered = kind !== "peek" && kind !== "read" && kind !== "write";
    if (isOrdered && kind !== "store") this.hear(thread, word);
    if (isWrite || !isOrdered) {
      const isStale = kind === "peek" && this.#ordering.mayBeStale(thread, word, site);
      if (!isStale) this.#spread(thread, this.#ordering.placeOf(word), isWrite ? WRITE : READ);
    }
    if (isOrdered && isWrite) this.#tell(thread, word);
  }

  /** Notes that the thread reads the word in order. */
  hear(thread: number, word: number): void {
    const from = this.#rowOf[word];
    if (from === undefined) return;
    const to = thread * this.#rowLength;
    for (let at = 0; at < this.#rowLength; at++) this.#rows[to + at]! &= this.#rows[from + at]!;
  }

  /** Notes that the thread knows that another has ended, and so all that it did. */
  hearAllOf(thread: number, ended: number): void {
    const [to, from] = [thread * this.#rowLength, ended * this.#rowLength];
    for (let at = 0; at < this.#rowLength; at++) this.#rows[to + at]! &= this.#rows[from + at]!;
  }

  #tell(thread: number, word: number): void {
    const to = this.#rowOf[word];
    if (to === undefined) return;
    const from = thread * this.#rowLength;
    for (let at = 0; at < this.#rowLength; at++) this.#rows[to + at] = this.#rows[from + at]!;
  }

  #spread(thread: number, place: number | undefined, access: number): void {
    if (place === undefined) return;
    const bit = access << (this.#shiftOf(place) + thread * BITS_PER_THREAD);
    const number = this.#numberOf(place);
    for (let at = number; at < this.length; at += this.#rowLength) this.#rows[at]! |= bit;
    this.#rows[thread * this.#rowLength + number]! &= ~bit;
  }

  /** The accesses of a place that conflict: one of the two writes, and one of them is not atomic. */
  #conflicts(operation: Operation, held: number): number {
    const all = 2 ** this.#bitsPerPlace - 1;
    const reads = all / (READ | WRITE) * READ;
    switch (operation.kind) {
      case "peek":
      case "read":
        return all - reads;
      case "write":
        return all;
      default:
        return writesTo(operation, held) ? reads : 0;
    }
  }

  #numberOf(place: number): number {
    return Math.floor(place / this.#placesPerNumber);
  }

  #shiftOf(place: number): number {
    return place % this.#placesPerNumber * this.#bitsPerPlace;
  }
}
