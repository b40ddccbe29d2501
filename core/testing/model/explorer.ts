import { randomGenerator } from "../random.ts";
import {
  type MemoryRules,
  type PendingOperation,
  type Progress,
  ScheduledWords,
  SUSPENDED,
} from "./scheduled_words.ts";

/** A thread of a model: the same function is run again for every step. */
export type Program = (words: ScheduledWords) => void;

/** What is explored. */
export interface Model {
  readonly initialMemory: Int32Array;
  readonly programs: readonly Program[];
  /** Called when every program ended; throws when the memory is not as it should be. */
  readonly checkEnd: (memory: Int32Array) => void;
  readonly rules: MemoryRules;
  /**
   * What distinguishes states: the words that matter, and where each thread is. Threads that are
   * alike may be put in a canonical order here.
   */
  readonly keyOf: (memory: Int32Array, threadKeys: readonly string[]) => string;
}

/** What an exploration found. */
export interface Exploration {
  readonly stateCount: number;
  /** What went wrong, with the schedule that leads there; absent when nothing did. */
  readonly violation?: string;
}

interface Thread extends Progress {
  readonly localState: string;
  readonly pending?: PendingOperation | undefined;
  readonly isDone: boolean;
}

interface State {
  readonly memory: Int32Array;
  readonly threads: readonly Thread[];
  /** How this state was reached. */
  readonly trace: Trace | undefined;
}

interface Trace {
  readonly step: string;
  readonly before: Trace | undefined;
}

/**
 * Visits every state that any schedule can reach, in depth-first order, and stops at the first
 * violation: a program that throws, a state in which nobody can go on, a bad end.
 *
 * @throws {RangeError} when there are more states than `stateCountMax`
 */
export function exploreAll(model: Model, options: { readonly stateCountMax: number }): Exploration {
  const start = initialState(model);
  if (typeof start === "string") return { stateCount: 0, violation: start };
  const seen = new Set<string>([keyOf(model, start)]);
  const stack = [start];
  for (let state = stack.pop(); state; state = stack.pop()) {
    const next = successors(model, state);
    if (typeof next === "string") return { stateCount: seen.size, violation: next };
    for (const successor of next) {
      const key = keyOf(model, successor);
      if (seen.has(key)) continue;
      seen.add(key);
      stack.push(successor);
    }
    if (seen.size > options.stateCountMax) {
      throw new RangeError(`Cannot explore the model as it has over ${seen.size} states`);
    }
  }
  return { stateCount: seen.size };
}

/** Follows one random schedule to its end; the same seed, which is not 0, gives the same one. */
export function exploreRandom(model: Model, seed: number): Exploration {
  const random = randomGenerator(seed);
  let state = initialState(model);
  for (let stateCount = 1;; stateCount++) {
    if (typeof state === "string") return { stateCount, violation: `${state}\nseed ${seed}` };
    const ready = readyThreads(state);
    if (ready.length === 0) {
      const fault = faultAtEnd(model, state);
      return fault ? { stateCount, violation: `${fault}\nseed ${seed}` } : { stateCount };
    }
    state = step(model, state, ready[random() % ready.length]!);
  }
}

function initialState(model: Model): State | string {
  const idle = { results: [], localState: "", isDone: false };
  let state: State | string = {
    memory: model.initialMemory,
    threads: model.programs.map(() => idle),
    trace: undefined,
  };
  for (let thread = 0; thread < model.programs.length; thread++) {
    state = advance(model, state, { thread, grantCount: 0 });
    if (typeof state === "string") return state;
  }
  return state;
}

function successors(model: Model, state: State): State[] | string {
  const ready = readyThreads(state);
  if (ready.length === 0) return faultAtEnd(model, state) ?? [];
  const next: State[] = [];
  for (const thread of ready) {
    const successor = step(model, state, thread);
    if (typeof successor === "string") return successor;
    next.push(successor);
  }
  return next;
}

function readyThreads(state: State): number[] {
  const ready: number[] = [];
  state.threads.forEach((thread, index) => {
    if (thread.isDone || thread.sleepsOn !== undefined) return;
    if (thread.pending?.isEnabled?.(state.memory) ?? true) ready.push(index);
  });
  return ready;
}

function faultAtEnd(model: Model, state: State): string | undefined {
  const stuck = state.threads.filter((thread) => !thread.isDone);
  if (stuck.length > 0) {
    const waits = stuck.map((thread) => thread.pending?.text).join("; ");
    return `Deadlock: ${waits}\n${traceText(state.trace)}`;
  }
  try {
    model.checkEnd(state.memory);
  } catch (error) {
    return `${error}\n${traceText(state.trace)}`;
  }
}

function step(model: Model, state: State, thread: number): State | string {
  return advance(model, state, { thread, grantCount: 1 });
}

function advance(
  model: Model,
  state: State,
  turn: { readonly thread: number; readonly grantCount: number },
): State | string {
  const before = state.threads[turn.thread]!;
  const memory = state.memory.slice();
  const { grantCount, thread: ownerIndex } = turn;
  const { rules } = model;
  const words = new ScheduledWords(memory, before, { grantCount, rules, ownerId: ownerIndex + 1 });
  const trace = { step: `${turn.thread}: ${before.pending?.text ?? "start"}`, before: state.trace };
  let isDone = true;
  try {
    model.programs[turn.thread]!(words);
  } catch (thrown) {
    if (thrown !== SUSPENDED) return `${thrown}\n${traceText(trace)}`;
    isDone = false;
  }
  const after = threadAfter(words, isDone);
  const threads = state.threads.map((thread, index) =>
    index === turn.thread ? after : wake(thread, words.notified)
  );
  return { memory, threads, trace };
}

function threadAfter(words: ScheduledWords, isDone: boolean): Thread {
  const { results, localState, pending, sleepsOn } = words;
  const progress = { results, localState, pending, isDone };
  return sleepsOn === undefined ? progress : { ...progress, sleepsOn };
}

function wake(thread: Thread, notified: readonly number[]): Thread {
  const { sleepsOn, ...awake } = thread;
  const isWoken = sleepsOn !== undefined && notified.includes(sleepsOn);
  return isWoken ? { ...awake, isWoken: true } : thread;
}

function keyOf(model: Model, state: State): string {
  const threadKeys = state.threads.map((thread) =>
    thread.isDone ? "done" : `${thread.localState}/${thread.sleepsOn ?? thread.isWoken ?? ""}`
  );
  return model.keyOf(state.memory, threadKeys);
}

function traceText(trace: Trace | undefined): string {
  const steps: string[] = [];
  for (let at = trace; at; at = at.before) steps.push(at.step);
  return steps.reverse().join("\n");
}
