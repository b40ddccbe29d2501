/** Brings states that are to count as one into the same form. */
export interface Canonical {
  toCanonical(state: Int32Array): void;
}

const SLOTS_AT_FIRST = 1 << 12;

/** Rows of as many numbers each, in the order in which they came. */
class Rows {
  count = 0;
  readonly #length: number;
  #numbers: Int32Array;

  constructor(length: number) {
    this.#length = length;
    this.#numbers = new Int32Array(length * SLOTS_AT_FIRST);
  }

  add(row: Int32Array): void {
    const first = this.count++ * this.#length;
    if (first === this.#numbers.length) {
      const numbers = new Int32Array(2 * first);
      numbers.set(this.#numbers);
      this.#numbers = numbers;
    }
    this.#numbers.set(row, first);
  }

  read(index: number, row: Int32Array): void {
    const numbers = this.#numbers;
    const first = index * this.#length;
    for (let at = 0; at < this.#length; at++) row[at] = numbers[first + at]!;
  }

  isAt(index: number, row: Int32Array): boolean {
    const numbers = this.#numbers;
    const first = index * this.#length;
    for (let at = 0; at < this.#length; at++) if (numbers[first + at] !== row[at]) return false;
    return true;
  }
}

/**
 * States, each once, in the order in which they came. A state is a row of numbers; all of it is kept
 * and compared, so two states are never taken for one.
 */
export class StateTable {
  readonly #canonical: Canonical | undefined;
  readonly #states: Rows;
  /** Their canonical forms: themselves where there are no others. */
  readonly #forms: Rows;
  readonly #form: Int32Array;
  /** Hash and index + 1 of a state in each used pair of slots; open addressing. */
  #slots = new Int32Array(2 * SLOTS_AT_FIRST);

  constructor(length: number, canonical?: Canonical) {
    this.#canonical = canonical;
    this.#states = new Rows(length);
    this.#forms = canonical ? new Rows(length) : this.#states;
    this.#form = new Int32Array(length);
  }

  get count(): number {
    return this.#states.count;
  }

  /** Copies a state out. */
  read(index: number, state: Int32Array): void {
    this.#states.read(index, state);
  }

  /** Adds a state unless an equal one is there; returns its index, `count - 1` for a new one. */
  add(state: Int32Array): number {
    const form = this.#formOf(state);
    const hash = hashOf(form);
    const slot = this.#slotOf(hash, form);
    if (this.#slots[slot + 1] !== 0) return this.#slots[slot + 1]! - 1;
    this.#states.add(state);
    if (this.#forms !== this.#states) this.#forms.add(form);
    this.#slots[slot] = hash;
    this.#slots[slot + 1] = this.count;
    if (this.count * 4 > this.#slots.length) this.#growSlots();
    return this.count - 1;
  }

  #formOf(state: Int32Array): Int32Array {
    if (!this.#canonical) return state;
    this.#form.set(state);
    this.#canonical.toCanonical(this.#form);
    return this.#form;
  }

  /** The slot of the state of this form, or the free one where it belongs. */
  #slotOf(hash: number, form: Int32Array): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let slot = hash << 1 & mask;; slot = slot + 2 & mask) {
      const index = slots[slot + 1]! - 1;
      if (index < 0 || (slots[slot] === hash && this.#forms.isAt(index, form))) return slot;
    }
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
