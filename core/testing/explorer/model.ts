import type { ScheduledWords } from "./scheduled_words.ts";

/** A thread of a model: a function of what its operations on the words return, and of nothing else. */
export type Program = (words: ScheduledWords) => void;

/** What is explored. */
export interface Model {
  readonly initialMemory: Int32Array;
  readonly programs: readonly Program[];
  /**
   * The words that programs change: with the local states of the threads, they tell states apart.
   * A program that changes another word violates the model.
   */
  readonly stateWords: readonly number[];
  /** The rules of this memory, which changes under them. */
  readonly rulesOf: (memory: Int32Array) => MemoryRules;
  readonly symmetry?: Symmetry;
  /** Holds the time, in seconds; absent where no program looks at the clock. */
  readonly timeWord?: number;
  /** The threads that others may end: they die at any step. */
  readonly mortals?: readonly number[];
  /**
   * Whether each thread is a process of its own, whose sleeps are naps: a notify wakes nobody, and a sleep ends
   * when its word has changed.
   */
  readonly areProcesses?: boolean;
  /** What is known of the order of accesses, if data races are looked for; changes with the memory. */
  readonly orderingOf?: (memory: Int32Array) => Ordering;
  /** Asked when every program ended: what is wrong with the memory, if anything. */
  readonly faultAtEnd: (memory: Int32Array) => string | undefined;
}

/**
 * What each thread may do to the words that change, and what it can count on: the explorer needs fewer
 * schedules for it. It holds every access against the rules, so that a broken one is a violation.
 *
 * What a thread can count on lasts, whatever the others do, until it takes its next step. An
 * objection to a step looks only at words on which the thread can count then.
 */
export interface MemoryRules {
  /**
   * Why the thread must not touch the word; absent when it may.
   *
   * @param next what it writes there; absent when it only looks
   */
  objection(thread: number, word: number, next: number | undefined): string | undefined;
  /**
   * Called behind each access that wrote a word: writes down, in state words of the model's own, what the
   * memory does not tell. It has to follow from the arguments and the memory.
   */
  note?(
    thread: number,
    word: number,
    change: { readonly held: number; readonly next: number },
  ): void;
  /** Whether no other thread writes the word. */
  isSettled(thread: number, word: number): boolean;
  /** Whether no other thread writes the word or looks at it. */
  isPrivate(thread: number, word: number): boolean;
}

/** Threads that are alike, so that states which differ only in which of them is where are one. */
export interface Symmetry {
  readonly threads: readonly number[];
  /** Words that hold 0, or the owner id of a thread, which is its number plus 1. */
  readonly ownerWords: readonly number[];
}

/** Which accesses of a model's memory must be ordered, and by what. */
export interface Ordering {
  /** Data that is accessed without order, each a place: 0 to `placeCount - 1`. */
  readonly placeCount: number;
  /** Words whose atomic accesses order others; what the model itself keeps is none of them. */
  readonly atomicWords: readonly number[];
  /** The place that a word belongs to. */
  placeOf(word: number): number | undefined;
  /** Whether plain accesses are right here. */
  isPlain(word: number): boolean;
  /**
   * Whether plain accesses are free steps; false when absent. For models whose rules do not say which
   * of them are private. When one is taken makes no difference: if another thread's access conflicts
   * with it and is not ordered behind it, either order of the two is a data race. Of a program with
   * races, not all violations are found.
   */
  readonly arePlainFree?: boolean;
  /** Whether a look without order may be stale there, because something confirms what it saw. */
  mayBeStale(thread: number, word: number, site: string | undefined): boolean;
}
