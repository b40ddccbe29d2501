import { letGo } from "../foreign/handover.ts";
import { heldIn } from "../path/reach.ts";
import { Run, type Site, type Steps } from "../path/run.ts";
import { Thrown } from "../path/thrown.ts";
import { Future, Item, List, Native, Unknown, type Value } from "../path/value.ts";

/** Methods for the base of an object: code from elsewhere would call what it has itself. */
function baseOf(methods: Record<string, (value: Value) => Value>, held: Value[] = []): Item {
  const base = new Item();
  for (const [name, method] of Object.entries(methods)) {
    // deno-lint-ignore require-yield
    const run: Native["run"] = function* (_, [value]) {
      return method(value);
    };
    base.parts.set(name, new Native(run, held));
  }
  return base;
}

/** A promise that is kept as soon as another one is settled. */
function settled(run: Run, future: Future): Future {
  const made = new Future();
  run.onSettled(future, () => run.fulfil(made, undefined));
  return made;
}

/** A queue of chunks, which is its own reader or writer. It ends once, and forgets what it held. */
class Stream extends Item {
  readonly run: Run;
  readonly queue: Value[] = [];
  readonly held: Value[];
  /** Calls what the program says of it, if it does. */
  tell: (name: string, ...args: readonly Value[]) => Future;
  controller = new Item(undefined, () => undefined);
  isOver = false;
  error: Thrown | undefined;
  /** What is done before it can be given up. */
  last = new Future();

  constructor(source: Value, site: Site) {
    super(undefined, () => undefined);
    const { run } = site.scope;
    this.run = run;
    run.hasStreams = true;
    this.held = [new List(this.queue), source];
    run.fulfil(this.last, undefined);
    const call = function* (name: string, args: readonly Value[]): Steps<Value> {
      const func = yield* run.interpreter.member(source, name, site);
      if (func === undefined) return undefined;
      return yield* run.interpreter.call(func, args, { ...site, isInner: true, self: source });
    };
    this.tell = (name, ...args) => run.start(call(name, args));
  }

  end(error?: Thrown): undefined {
    if (this.isOver) return;
    this.isOver = true;
    this.error = error;
    // What an exception of code from elsewhere has made unreachable is nobody's fault.
    if (error?.isForeign) { for (const one of this.held) this.run.escaped.add(one); }
    this.held.length = this.queue.length = 0;
  }

  /** `cancel()` or `abort()`. */
  giveUp(reason: Value, error?: Thrown): Future {
    const told = new Future();
    const name = this instanceof Sink ? "abort" : "cancel";
    if (this.isOver) this.run.fulfil(told, undefined);
    else this.run.onSettled(this.last, () => this.run.fulfil(told, this.tell(name, reason)));
    this.end(error);
    return told;
  }
}

/** `ReadableStream`. */
class Source extends Stream {
  readonly #ahead: number;
  readonly #reads: Future[] = [];
  #isClosing = false;
  /** How often more was wanted since the program was last asked for it; it has to start first. */
  #wishCount = 2;
  /** Kept when more is wanted, or never will be. */
  wish = new Future();

  constructor(source: Value, site: Site, ahead: number) {
    super(source, site);
    this.#ahead = ahead;
    const itself = () => this;
    const read = () => this.run.start(this.#readLater());
    const cancel = (reason: Value) => this.giveUp(reason);
    const pipe = (target: Value) => this.#pipe(target);
    const reader = { cancel, getReader: itself, pipeThrough: pipe, pipeTo: pipe, read };
    const iterator = { "Symbol.asyncIterator": itself, next: read, return: cancel };
    this.base = baseOf({ ...reader, ...iterator }, this.held);
    const enqueue = (value: Value) => {
      if (this.isOver || this.#isClosing) throw new Thrown(new Unknown(), false);
      this.queue.push(value);
      this.#flow();
      return undefined;
    };
    const error = (reason: Value) => this.end(new Thrown(reason, false));
    this.controller.base = baseOf({ close: () => this.close(), enqueue, error });
    this.#goOn(this.tell("start", this.controller));
  }

  /** Whether somebody waits, or there is room to read ahead. */
  get isWanting(): boolean {
    return this.#reads.length > 0 || this.queue.length < this.#ahead;
  }

  #goOn(asked: Future): void {
    this.run.onSettled(asked, () => {
      const isAgain = this.#wishCount > 1;
      this.#wishCount = 0;
      if (asked.error) this.end(asked.error);
      else if (isAgain) this.#flow();
    });
  }

  /** Gives what is there to who waits, and asks for more. */
  #flow(): void {
    const { run, queue } = this;
    while (this.#reads.length > 0 && (this.isOver || queue.length > 0)) {
      const read = this.#reads.shift()!;
      const result = new Item();
      result.parts.set("done", this.isOver).set("value", queue.shift());
      if (this.error) run.reject(read, this.error);
      else run.fulfil(read, result);
    }
    if (this.#isClosing && queue.length === 0 && !this.isOver) return this.end();
    run.intervals[this.#reads.length > 0 ? "add" : "delete"](this); // by whoever waits
    if (this.isOver || this.isWanting) run.fulfil(this.wish, undefined);
    if (this.isOver || this.#isClosing || !this.isWanting || this.#wishCount++ > 0) return;
    this.wish = new Future();
    this.#goOn(this.tell("pull", this.controller));
  }

  read(): Future {
    const read = new Future();
    this.#reads.push(read);
    this.#flow();
    return read;
  }

  /** Who breaks a loop does so when more was read ahead. */
  *#readLater(): Steps<Value> {
    return yield { awaited: this.read() };
  }

  close(): undefined {
    this.#isClosing = true;
    this.#flow();
  }

  override end(error?: Thrown): undefined {
    super.end(error);
    this.#flow();
  }

  /** `pipeTo()` and `pipeThrough()`. */
  #pipe(to: Value): Value {
    const { parts } = to instanceof Item ? to : new Item();
    const target = parts.get("writable") ?? to;
    if (target instanceof Sink) {
      const piped = this.run.start(this.#writeTo(target));
      piped.isHandled = to !== target;
      return parts.get("readable") ?? piped;
    }
    for (const one of [this, to]) letGo(this.run, one);
    return new Unknown();
  }

  /** Writes all that comes; when one of both fails, the other one is given up. */
  *#writeTo(target: Sink): Steps<Value> {
    this.held.push(target);
    try {
      for (;;) {
        this.run.step();
        const { parts } = (yield { awaited: this.read() }) as Item;
        if (parts.get("done") === true) return target.do("close");
        yield { awaited: target.do("write", parts.get("value")) };
      }
    } catch (error) {
      if (!(error instanceof Thrown)) throw error;
      for (const one of [this, target]) one.giveUp(error.value, error).isHandled = true;
      throw error;
    }
  }
}

/** `WritableStream`. */
class Sink extends Stream {
  constructor(source: Value, site: Site) {
    super(source, site);
    const abort = (reason: Value) => this.giveUp(reason, new Thrown(reason, false));
    const write = (value: Value) => this.do("write", value);
    const writer = { abort, close: () => this.do("close"), getWriter: () => this, write };
    this.base = baseOf(writer, this.held);
  }

  /** Writes or closes, one after the other. */
  do(name: string, ...chunk: readonly Value[]): Future {
    this.queue.push(...chunk);
    return this.last = this.run.start(this.#doNext(name, chunk.length));
  }

  *#doNext(name: string, count: number): Steps<Value> {
    yield { awaited: settled(this.run, this.last) };
    if (this.isOver) throw this.error ?? new Thrown(new Unknown(), false);
    const done = this.tell(name, ...this.queue.splice(0, count), this.controller);
    yield { awaited: settled(this.run, done) };
    if (done.error || name === "close") this.end(done.error);
    return done;
  }
}

/** `new ReadableStream()`, `new WritableStream()`, `new TransformStream()`. */
export function newStream(name: string, args: readonly Value[], site: Site): Item | undefined {
  const [source] = args;
  if (!(source instanceof Item)) return undefined;
  const usual = name === "TransformStream" ? 0 : 1;
  const strategy = args[2 - usual];
  const mark = strategy instanceof Item ? strategy.parts.get("highWaterMark") : usual;
  const ahead = typeof mark === "number" ? Math.min(mark, 4) : usual;
  if (name === "ReadableStream") return new Source(source, site, ahead);
  const writable = new Sink(source, site);
  if (usual === 0) return pairOf(writable, new Source(source, site, ahead));
  writable.last = writable.tell("start", writable.controller);
  return writable;
}

const INNER = new Map([["abort", "cancel"], ["close", "flush"], ["write", "transform"]]);

/** What is written is worked on as soon as somebody wants to read what comes of it. */
function pairOf(writable: Sink, readable: Source): Item {
  const { run } = writable;
  const work = function* (name: string, args: readonly Value[]): Steps<Value> {
    if (name === "write" && !readable.isWanting) yield { awaited: readable.wish };
    if (readable.isOver) throw new Thrown(new Unknown(), false);
    const done = readable.tell(INNER.get(name)!, ...args);
    yield { awaited: settled(run, done) };
    if (name === "close" && !done.error) readable.close();
    else if (name !== "write" || done.error) readable.end(done.error);
    return done;
  };
  writable.tell = (name, ...args) => run.start(work(name, args));
  writable.controller = readable.controller;
  const pair = new Item();
  pair.parts.set("readable", readable).set("writable", writable);
  return pair;
}

/** Lets code from elsewhere use the streams that it has: to their end, or it gives them up. */
export function useStreams(run: Run, given: Value): void {
  if (!run.hasStreams) return;
  const isOwn = (one: Value) => one instanceof Item && one.base && !(one instanceof Stream);
  const found = [...run.escaped, given].flatMap((one) => isOwn(one) ? [] : [...heldIn(one, true)]);
  const open = new Set(found.filter((one) => one instanceof Stream && !one.isOver));
  const way = open.size > 0 ? run.choose(4) : 0;
  for (const one of way > 0 ? open : []) run.start(use(one as Source | Sink, way));
  run.drain();
}

function* use(stream: Source | Sink, way: number): Steps<Value> {
  const { run } = stream;
  for (let count = way; count < 3; count++) {
    const future = stream instanceof Sink ? stream.do("write", new Unknown()) : stream.read();
    yield { awaited: settled(run, future) };
    if (future.value instanceof Item) letGo(run, future.value.parts.get("value"));
  }
  if (way > 1) stream.giveUp(undefined).isHandled = true;
  else if (stream instanceof Sink) stream.do("close").isHandled = true;
  return undefined;
}
