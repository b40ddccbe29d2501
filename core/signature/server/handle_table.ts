import { HANDLE_INDEXES } from "../wire/slot.ts";

/** Generations that an index can have, before it is used no more. */
const GENERATIONS = 2 ** 32;

interface Entry {
  readonly name: string;
  readonly generation: number;
  /** Absent after the end of the handle. */
  object: unknown;
  /** How often it was made and not ended; 0 when it is gone. */
  useCount: number;
  /** How many calls hold it that may end it: as long, nobody else gets its index. */
  holdCount: number;
}

/** A handle that a call may end: nobody has it until {@linkcode HandleTable.settle}. */
export interface HeldHandle {
  readonly handle: number;
  /** How often it was made, as far as this call ends it. */
  readonly useCount: number;
}

/**
 * What a server's callers hold handles of. A handle is an index and a generation, so that one that
 * ended never means what has its index now. Generations begin at random: a handle of another server is
 * refused, too, and not taken for one of this.
 */
export class HandleTable {
  readonly #handlesMax: number;
  readonly #firstGeneration = crypto.getRandomValues(new Uint32Array(1))[0]! || 1;
  readonly #entries: Entry[] = [];
  /** How many of these calls hold that nobody else has. */
  #heldCount = 0;
  /** Indexes whose handle ended. */
  readonly #free: number[] = [];
  /** The handles of objects, by what they are handles of. */
  readonly #handles = new Map<string, Map<unknown, number>>();

  /** @param options `handlesMax`: how many there can be at once */
  constructor({ handlesMax }: { readonly handlesMax: number }) {
    if (!Number.isInteger(handlesMax) || handlesMax < 0 || handlesMax > HANDLE_INDEXES) {
      throw new RangeError(
        `Cannot keep handles as handlesMax must be an integer from 0 to ${HANDLE_INDEXES}: current value is ${handlesMax}`,
      );
    }
    this.#handlesMax = handlesMax;
  }

  /** How many handles have not ended; what calls hold that may end it, has. */
  get count(): number {
    return this.#entries.length - this.#free.length - this.#heldCount;
  }

  /**
   * Makes a handle of an object; the same for the same object, so that asking for one again and again,
   * for standard output for example, fills nothing. It ends when it was ended as often as it was made.
   *
   * @throws {RangeError} when there are too many; an object that can be disposed is disposed then
   */
  add(name: string, object: unknown): number {
    const known = this.#handles.get(name)?.get(object);
    if (known !== undefined) {
      this.#find(name, known).useCount++;
      return known;
    }
    if (this.#entries.length - this.#free.length >= this.#handlesMax) {
      this.#disposeUnheld(object);
      throw new RangeError(
        `Cannot make a handle of a ${name} as there are ${this.#handlesMax} already: end some`,
      );
    }
    const index = this.#free.pop() ?? this.#entries.length;
    const generation = this.#nextGeneration(this.#entries[index]);
    this.#entries[index] = { name, generation, object, useCount: 1, holdCount: 0 };
    const handle = generation * HANDLE_INDEXES + index;
    const handles = this.#handles.get(name) ?? new Map<unknown, number>();
    this.#handles.set(name, handles.set(object, handle));
    return handle;
  }

  /**
   * The object of a handle, which comes from the other side.
   *
   * @param name what it must be of: one name, or several with `|` between
   * @throws {RangeError} when it never was, has ended, or is of something else
   */
  get(name: string, handle: number): unknown {
    return this.#find(name, handle).object;
  }

  /** Ends a handle; throws as {@linkcode get}. */
  end(name: string, handle: number): void {
    this.settle(this.hold(name, handle), true);
  }

  /**
   * Takes a handle for a call that may end it; throws as {@linkcode get}.
   *
   * @param isWhole however often it was made: who else has it must not use it meanwhile either
   */
  hold(name: string, handle: number, isWhole = false): HeldHandle {
    const entry = this.#find(name, handle);
    const useCount = isWhole ? entry.useCount : 1;
    entry.useCount -= useCount;
    entry.holdCount++;
    if (entry.useCount === 0) {
      this.#heldCount++;
      this.#handles.get(entry.name)?.delete(entry.object);
    }
    return { handle, useCount };
  }

  /** Ends a handle that a call held, or gives it back: unless another was made of the same object meanwhile. */
  settle({ handle, useCount }: HeldHandle, isEnded: boolean): void {
    const entry = this.#entries[handle % HANDLE_INDEXES]!;
    const handles = this.#handles.get(entry.name);
    entry.holdCount--;
    const isGone = entry.useCount === 0;
    if (!isEnded && (handles?.get(entry.object) ?? handle) === handle) {
      entry.useCount += useCount;
      handles?.set(entry.object, handle);
    }
    if (isGone && (entry.useCount > 0 || entry.holdCount === 0)) this.#heldCount--;
    if (entry.useCount > 0 || entry.holdCount > 0) return;
    entry.object = undefined;
    this.#free.push(handle % HANDLE_INDEXES);
  }

  /**
   * Ends a handle that no caller has learned of: when nobody else has it either, what is behind it is
   * disposed, if it can be.
   */
  forget(name: string, handle: number): void {
    const { object } = this.#find(name, handle);
    this.end(name, handle);
    this.#disposeUnheld(object);
  }

  /** Ends the handle of an object, however often it was made; of one that has none, nothing. */
  drop(name: string, object: unknown): void {
    const handle = this.#handles.get(name)?.get(object);
    if (handle === undefined) return;
    this.#find(name, handle).useCount = 1;
    this.end(name, handle);
  }

  /** Nobody else will: a file would stay open. Nobody hears how it fails either. */
  #disposeUnheld(object: unknown): void {
    if (this.#handles.values().some((handles) => handles.has(object))) return;
    try {
      (object as Partial<Disposable>)[Symbol.dispose]?.();
    } catch {
      // The caller is told why it has no handle.
    }
  }

  #find(name: string, handle: number): Entry {
    const entry = this.#entries[handle % HANDLE_INDEXES];
    const isSame = entry?.generation === Math.floor(handle / HANDLE_INDEXES);
    const isLive = isSame && (entry?.useCount ?? 0) > 0;
    if (isLive && (entry?.name === name || name.split("|").includes(entry!.name))) return entry!;
    const why = isLive ? `it is one of a ${entry?.name}` : "it has ended or never was";
    throw new RangeError(
      `Cannot use the handle of a ${
        name.replaceAll("|", " or ")
      } as ${why}: current value is ${handle}`,
    );
  }

  /** 0 is no generation, so that no handle is 0, which stands for null. */
  #nextGeneration(entry: Entry | undefined): number {
    const next = entry ? entry.generation + 1 : this.#firstGeneration;
    return next === GENERATIONS ? 1 : next;
  }
}
