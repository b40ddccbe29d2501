import type { CallFacts } from "../foreign/signature.ts";
import type { Finding } from "../finding.ts";
import type { CheckedFile } from "../program/checked_file.ts";
import { ts } from "../program/compiler.ts";
import { type Frame, Scope } from "./scope.ts";
import { Abandoned, Thrown } from "./thrown.ts";
import {
  type Cursor,
  Future,
  type Look,
  type Port,
  type Thing,
  Unknown,
  type Value,
} from "./value.ts";

/** Where something happens. */
export interface Site {
  readonly node: ts.Node;
  readonly scope: Scope;
  /** Whether code of the language calls here, and not the program itself. */
  readonly isInner?: boolean;
  /** Whether something is taken apart here. */
  readonly isPattern?: boolean;
  /** `this` of what is called. */
  readonly self?: Value;
}

/** What code that runs can ask of who drives it. */
export type Request =
  | { readonly awaited: Future }
  | { readonly yielded: Value };

/**
 * Code that runs, and may have to wait.
 *
 * What gives these is a function of a module, and no generator written as a closure: each of those
 * gets a hidden class when it is first called, which lies among the old objects and keeps alive
 * what its closure saw. A path makes thousands; a third of the time went into collecting them.
 */
export type Steps<T> = Generator<Request, T, Value>;

/** How a statement ends that does not go on with the next one. */
export type Completion =
  | { readonly kind: "break" | "continue"; readonly label: string; readonly node: ts.Node }
  | { readonly kind: "return"; readonly value: Value; readonly node: ts.Node };

/** Expressions, statements and calls hold each other: each finds the others here. */
export interface Interpreter {
  evaluate(run: Run, node: ts.Node, scope: Scope): Steps<Value>;
  execute(run: Run, node: ts.Node, scope: Scope): Steps<Completion | undefined>;
  call(callee: Value, args: readonly Value[], site: Site): Steps<Value>;
  member(owner: Value, name: string, site: Site): Steps<Value>;
  iterate(value: Value, site: Site, isAsync?: boolean): Steps<Cursor>;
  declared(run: Run, declaration: ts.Declaration, site: Site): Steps<Value>;
}

/** One decision of a path: which of some ways it took. */
export interface Decision {
  readonly taken: number;
  readonly count: number;
  /** Whether each way is as usual as the first. */
  readonly isEven: boolean;
}

/** Something that happens when the code that runs has ended or waits. */
export interface Task {
  readonly isTimer: boolean;
  /** When a timer wants to run, in milliseconds, and how long until it does again. */
  dueAt?: number;
  readonly period?: number;
  /** Whether it is there to let time pass. */
  readonly isPause?: boolean;
  readonly fire: () => void;
  /** What can be reached through it. */
  readonly holds: readonly Value[];
  timesLeft: number;
}

/** A function that is called when something happens. */
export interface Listener {
  readonly work: Value;
  /** Lets it happen. */
  readonly fire: () => void;
  /** What is listened to, if it is the program's own: it happens when others have that, too. */
  readonly target?: Value;
}

/** What is known of the functions of a file from one path to the next. */
export interface Known {
  /** Bodies that were begun. */
  readonly visited: Set<ts.Node>;
  /** Functions without ports that do too much to be followed. */
  readonly heavy: Set<ts.Node>;
  readonly declarations: Map<ts.Node, ts.Declaration | undefined>;
  readonly calls: Map<ts.Node, CallFacts>;
  /** How much all paths have done. */
  stepCount: number;
  /** What was lost, with where the ports came to be. */
  readonly losses: {
    readonly finding: Finding;
    readonly madeAt: ts.Node;
    readonly before: ReadonlySet<ts.Node>;
  }[];
}

/** How much one path may do. */
const STEPS_MAX = 12_000;
const DECISIONS_MAX = 60;

/** One path through a program. */
export class Run {
  readonly file: CheckedFile;
  readonly interpreter: Interpreter;
  readonly decisions: Decision[] = [];
  /** Everything that must be consumed, in the order in which it came to be. */
  readonly linear: (Port | Look)[] = [];
  readonly findings: Finding[] = [];
  /** What code from elsewhere can reach. */
  readonly escaped = new Set<Value>();
  readonly tasks: Task[] = [];
  /** The tasks that can be called off, by what their timers gave. */
  readonly timers = new Map<Value, Task>();
  /** How late it is, in milliseconds, as far as timers say. */
  clock = 0;
  /** Functions that serve calls. */
  readonly services: (() => Steps<void>)[] = [];
  /** When a server of the program has last answered all calls, in steps. */
  servedStep = 0;
  /** Whether there are web streams, which somebody else may read or write. */
  hasStreams = false;
  /** Whether something has happened that functions listen for. */
  hasHappened = false;
  /** What runs again and again until it is called off. */
  readonly intervals = new Set<Value>();
  readonly listeners = new Set<Listener>();
  /** What tells a listener off, by what code from elsewhere gave for it. */
  readonly handles = new Map<Value, Listener>();
  /** Whether two keys of which nobody knows were taken to be the same. */
  hasEqualKeys = false;
  /** Whether numbers are any numbers: how much fits into something is not what matters. */
  isAnyNumber = false;
  /** What goes on as soon as the code that runs has ended or waits. */
  readonly soon: (() => void)[] = [];
  readonly rejected: Future[] = [];
  /** The calls of functions that wait. */
  readonly suspended = new Set<Frame>();
  readonly known: Known;
  /** The function of a module without ports that runs, and how long it may. */
  guest: { readonly node: ts.Node; readonly stepsEnd: number } | undefined;
  /** Values of names of modules, as this path has them. */
  readonly modules = new Map<ts.SourceFile, Scope>();
  /** Whether functions run at any time, so that what modules hold is not known. */
  readonly isLater: boolean;
  /** Functions that ran, or of which it is settled when they run. */
  readonly ran = new Set<ts.Node>();
  /** Which of several calls runs that somebody else makes. */
  round = 0;
  surprisesLeft = 1;
  stepCount = 0;
  /** Intervals that rest until something else has run. */
  readonly #resting: Task[] = [];
  readonly #prefix: readonly number[];
  readonly #unknowns = new Map<string, Unknown>();
  readonly #asked = new Set<string>();
  readonly #numbers = new Map<Value, number>();

  constructor(
    { file, interpreter, known, isLater }: Pick<
      Run,
      "file" | "interpreter" | "known" | "isLater"
    >,
    prefix: readonly number[],
  ) {
    this.file = file;
    this.interpreter = interpreter;
    this.known = known;
    this.isLater = isLater;
    this.#prefix = prefix;
  }

  /** What a name or a property is declared as. */
  declarationAt(node: ts.Node): ts.Declaration | undefined {
    const { declarations } = this.known;
    if (!declarations.has(node)) declarations.set(node, this.file.declarationAt(node));
    return declarations.get(node);
  }

  /** Takes one of some ways: the first where nobody says otherwise. */
  choose(count: number, isEven = false): number {
    if (count < 2) return 0;
    const taken = this.#prefix[this.decisions.length] ?? 0;
    // What was learned on another path may have changed what there is to decide.
    const isOther = taken >= count;
    if (isOther || this.decisions.length >= DECISIONS_MAX) throw new Abandoned(false);
    this.decisions.push({ taken, count, isEven });
    return taken;
  }

  /** Whether code from elsewhere throws now. */
  isSurprised({ scope }: Site): boolean {
    if (scope.frame.guards === 0 || this.surprisesLeft === 0) return false;
    if (this.choose(2) === 0) return false;
    this.surprisesLeft--;
    return true;
  }

  /** @throws {Abandoned} when the path has become too long */
  step(): void {
    if (++this.stepCount > STEPS_MAX) throw new Abandoned(false);
    if (this.guest && this.stepCount > this.guest.stepsEnd) {
      this.known.heavy.add(this.guest.node);
      throw new Abandoned(false);
    }
  }

  /** The answer to a question about values of which not all are known: always the same. */
  answer(question: string, ...values: readonly Value[]): Unknown {
    this.#asked.add(question);
    const key = this.#keyOf(question, values);
    const known = this.#unknowns.get(key) ?? new Unknown();
    this.#unknowns.set(key, known);
    return known;
  }

  /** Whether two things are the same; if nobody knows, a way is taken that answers alike for both. */
  areSame(one: Thing, other: Thing, usual: boolean): boolean {
    const numbers = [this.#numberOf(one), this.#numberOf(other)];
    if (numbers[0] === numbers[1]) return true;
    if ([one, other].every((thing) => thing instanceof Unknown && thing.isUnique)) return false;
    const answer = this.answer("===", one, other);
    answer.truth ??= (this.choose(2) === 0) === usual;
    if (answer.truth) this.#numbers.set(other, numbers[0] as number);
    return answer.truth;
  }

  /** What a question was found to be answered with, if somebody has asked it. */
  found(question: string, ...values: readonly Value[]): boolean | undefined {
    if (!this.#asked.has(question)) return undefined;
    return this.#unknowns.get(this.#keyOf(question, values))?.truth;
  }

  #keyOf(question: string, values: readonly Value[]): string {
    const numbers = values.map((one) => this.#numberOf(one));
    if (question === "===") numbers.sort();
    return `${question}:${numbers.join()}`;
  }

  /** The name of a property: whatever is not text has one of its own. */
  keyOf(value: Value): string {
    return typeof value === "object" && value !== null
      ? `?${this.#numberOf(value)}`
      : String(value);
  }

  #numberOf(value: Value): number | string {
    if (typeof value !== "object" || value === null) return JSON.stringify(String(value));
    const known = this.#numbers.get(value) ?? this.#numbers.size;
    this.#numbers.set(value, known);
    return known;
  }

  /** The names of a module, which it gets when they are first asked for. */
  moduleOf(source: ts.SourceFile): Scope {
    const frame = {
      run: this,
      self: undefined,
      func: undefined,
      calledFrom: undefined,
      depth: 0,
      calledStep: 0,
      guards: 0,
    };
    const scope = this.modules.get(source) ?? new Scope(undefined, frame);
    this.modules.set(source, scope);
    return scope;
  }

  /** Runs what waits for a promise, once it is settled. */
  onSettled(future: Future, work: () => void): void {
    future.isHandled = true;
    if (future.state === "pending") future.waiting.push(work);
    else this.soon.push(work);
  }

  /** Ends a promise well; one that is given another one ends as that does. */
  fulfil(future: Future, value: Value): void {
    if (future.state !== "pending") return;
    if (!(value instanceof Future)) return this.#settle(future, "fulfilled", value);
    this.onSettled(value, () => {
      if (value.error) this.reject(future, value.error);
      else this.fulfil(future, value.value);
    });
  }

  reject(future: Future, error: Thrown): void {
    if (future.state !== "pending") return;
    future.error = error;
    this.rejected.push(future);
    this.#settle(future, "rejected", undefined);
  }

  #settle(future: Future, state: "fulfilled" | "rejected", value: Value): void {
    future.state = state;
    future.value = value;
    this.soon.push(...future.waiting);
    future.waiting.length = 0;
  }

  /** Runs code until it ends; whoever has the promise can wait for that. */
  start(steps: Steps<Value>): Future {
    const future = new Future();
    const go = (resume: () => IteratorResult<Request, Value>): void => {
      try {
        const { done, value } = resume();
        if (done) return this.fulfil(future, value);
        const { awaited } = value as { readonly awaited: Future };
        this.onSettled(awaited, () => {
          go(() => awaited.error ? steps.throw(awaited.error) : steps.next(awaited.value));
        });
      } catch (error) {
        if (!(error instanceof Thrown)) throw error;
        this.reject(future, error);
      }
    };
    go(() => steps.next(undefined));
    return future;
  }

  /** Goes on with whatever waits, until nothing does. */
  drain(): void {
    for (;;) {
      const next = this.soon.shift() ?? this.#nextTask();
      if (!next) return;
      this.step();
      next();
    }
  }

  /** Lets time pass between two calls of somebody else, who may also make the next one at once. */
  pause(): void {
    for (let next = this.soon.shift(); next; next = this.soon.shift()) {
      this.step();
      next();
    }
    if (this.tasks.some(({ isTimer }) => isTimer) && this.choose(2) === 1) return;
    for (const task of this.#resting.splice(0)) {
      if (!this.intervals.has(task.holds[0])) continue;
      task.timesLeft = 2;
      this.tasks.push(task);
    }
    this.drain();
  }

  /** What may happen now that something listens for: one event of a path is enough. */
  get events(): readonly Listener[] {
    if (this.hasHappened) return [];
    return [...this.listeners].filter(({ target }) => !target || this.escaped.has(target));
  }

  #nextTask(): (() => void) | undefined {
    const [first] = this.tasks;
    if (!first) return undefined;
    const other = this.tasks.find(({ isTimer }) => isTimer !== first.isTimer);
    const ways = other && !other.isPause ? [first, other] : [first];
    const { events } = this;
    const way = this.choose(ways.length + events.length);
    const event = events[way - ways.length];
    if (event) {
      this.hasHappened = true;
      return event.fire;
    }
    return this.#taken(ways[way]!.isTimer ? this.#soonest() : ways[way]!).fire;
  }

  #soonest(): Task {
    const timers = this.tasks.filter(({ isTimer }) => isTimer);
    return timers.reduce((one, other) => (other.dueAt ?? 0) < (one.dueAt ?? 0) ? other : one);
  }

  #taken(task: Task): Task {
    this.tasks.splice(this.tasks.indexOf(task), 1);
    if (task.dueAt !== undefined) this.clock = Math.max(this.clock, task.dueAt);
    if (--task.timesLeft > 0) {
      if (task.dueAt !== undefined) task.dueAt += task.period ?? 0;
      this.tasks.push(task);
    } else if (this.intervals.has(task.holds[0])) this.#resting.push(task);
    return task;
  }
}
