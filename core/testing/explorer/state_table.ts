/** Brings states that are to count as one into the same form. */
export interface Canonical {
  toCanonical(state: Int32Array): void;
}

const SLOTS_AT_FIRST = 1 << 12;

/**
 * States, each once, in the order in which they came. A state is a row of numbers; all of it is kept
 * and compared, so two states are never taken for one.
 */
export class StateTable {
  #count = 0;
  readonly #length: number;
  readonly #canonical: Canonical | undefined;
  #rows: Int32Array;
  /** Hash and index + 1 of a state in each used pair of slots; open addressing. */
  #slots = new Int32Array(2 * SLOTS_AT_FIRST);
  readonly #wanted: Int32Array;
  readonly #found: Int32Array;

  constructor(length: number, canonical?: Canonical) {
    this.#length = length;
    this.#canonical = canonical;
    this.#rows = new Int32Array(length * SLOTS_AT_FIRST);
    this.#wanted = new Int32Array(length);
    this.#found = new Int32Array(length);
  }

  get count(): number {
    return this.#count;
  }

  /** Copies a state out. */
  read(index: number, state: Int32Array): void {
    const first = index * this.#length;
    for (let at = 0; at < this.#length; at++) state[at] = this.#rows[first + at]!;
  }

  /** Adds a state unless an equal one is there; returns whether it did. */
  add(state: Int32Array): boolean {
    this.#wanted.set(state);
    this.#canonical?.toCanonical(this.#wanted);
    const hash = hashOf(this.#wanted);
    const slot = this.#slotOf(hash);
    if (this.#slots[slot + 1] !== 0) return false;
    this.#slots[slot] = hash;
    this.#slots[slot + 1] = this.#append(state);
    if (this.#count * 4 > this.#slots.length) this.#growSlots();
    return true;
  }

  /** The slot of the wanted state, or the free one where it belongs. */
  #slotOf(hash: number): number {
    const mask = this.#slots.length - 1;
    for (let slot = hash << 1 & mask;; slot = slot + 2 & mask) {
      const index = this.#slots[slot + 1]! - 1;
      if (index < 0 || (this.#slots[slot] === hash && this.#isWanted(index))) return slot;
    }
  }

  #isWanted(index: number): boolean {
    this.read(index, this.#found);
    this.#canonical?.toCanonical(this.#found);
    for (let at = 0; at < this.#length; at++) {
      if (this.#found[at] !== this.#wanted[at]) return false;
    }
    return true;
  }

  #append(state: Int32Array): number {
    const first = this.#count++ * this.#length;
    if (first === this.#rows.length) {
      const rows = new Int32Array(2 * first);
      rows.set(this.#rows);
      this.#rows = rows;
    }
    this.#rows.set(state, first);
    return this.#count;
  }

  #growSlots(): void {
    const before = this.#slots;
    this.#slots = new Int32Array(2 * before.length);
    const mask = this.#slots.length - 1;
    for (let from = 0; from < before.length; from += 2) {
      if (before[from + 1] === 0) continue;
      let slot = before[from]! << 1 & mask;
      while (this.#slots[slot + 1] !== 0) slot = slot + 2 & mask;
      this.#slots[slot] = before[from]!;
      this.#slots[slot + 1] = before[from + 1]!;
    }
  }
}

function hashOf(state: Int32Array): number {
  let hash = 0;
  for (let at = 0; at < state.length; at++) {
    hash = Math.imul(hash ^ state[at]!, 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  return hash;
}
