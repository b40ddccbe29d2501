import type { Words } from "../memory/words.ts";
import { NAME_COUNT_MAX, NAME_WORDS, type RingLayout } from "./layout.ts";

/**
 * The names of a ring's commands. The host may add some while clients run. A command's id is the index of
 * its name. Bounded.
 */
export class CommandNames {
  readonly #words: Words;
  readonly #layout: RingLayout;

  constructor(words: Words, layout: RingLayout) {
    this.#words = words;
    this.#layout = layout;
  }

  /** The id of a name; `undefined` while the host has not registered it. */
  find(name: string): number | undefined {
    const wanted = nameWords(name);
    // Sync: pairs with add(): the names below the count are complete. The count comes from the other
    // side, and is therefore limited.
    const count = Math.min(this.#words.load(this.#layout.nameCountWord) >>> 0, NAME_COUNT_MAX);
    for (let id = 0; id < count; id++) if (this.#isAt(id, wanted)) return id;
    return undefined;
  }

  /**
   * Adds a name if it is not there; returns its id. Only the host may call it.
   *
   * @throws {RangeError} when there are already 64 names, or the name is empty, has more than 64 bytes or
   * contains a zero
   */
  add(name: string): number {
    const known = this.find(name);
    if (known !== undefined) return known;
    const { nameCountWord, namesWord } = this.#layout;
    const id = this.#words.load(nameCountWord);
    if (id < 0 || id >= NAME_COUNT_MAX) {
      throw new RangeError(
        `Cannot register ${name} as there are ${NAME_COUNT_MAX} names at most: current count is ${id}`,
      );
    }
    nameWords(name).forEach((value, word) => {
      this.#words.plain[namesWord + id * NAME_WORDS + word] = value;
    });
    // Sync: after the name. Pairs with find(), which could otherwise take half a name for a shorter one.
    this.#words.store(nameCountWord, id + 1);
    return id;
  }

  #isAt(id: number, wanted: Int32Array): boolean {
    const first = this.#layout.namesWord + id * NAME_WORDS;
    return wanted.every((value, word) => this.#words.plain[first + word] === value);
  }
}

function nameWords(name: string): Int32Array {
  const bytes = new TextEncoder().encode(name);
  if (bytes.length === 0 || bytes.length > NAME_WORDS * 4 || bytes.includes(0)) {
    throw new RangeError(
      `Cannot use the name as it must have 1 to ${
        NAME_WORDS * 4
      } bytes, none of them 0: current value is ${JSON.stringify(name)}`,
    );
  }
  const padded = new Uint8Array(NAME_WORDS * 4);
  padded.set(bytes);
  return new Int32Array(padded.buffer);
}
