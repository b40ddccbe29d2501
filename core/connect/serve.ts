import { CloneEncoder, type CloneMessage } from "../call/clone/clone_encoder.ts";
import { errorFrom, type ErrorReport, errorReport } from "../call/error_report.ts";
import { limitOf } from "../call/limit.ts";
import { isPromise } from "../memory/sync_result.ts";
import { BellWaiter } from "../wait/bell_waiter.ts";
import type { Doorbell } from "../wait/doorbell.ts";
import { NO_GUARD } from "../wait/inbox_waiter.ts";
import { LoopTurns } from "../wait/loop_turns.ts";
import { findParent, onLastMoments, type Parent } from "../worker/worker_scope.ts";
import { type Frame, FrameKind, LAYOUT, Line, LineEnd, MESSAGE_LIMIT_BYTES } from "./line.ts";
import { LetterReader, LetterWriter } from "./mail.ts";
import { Spin } from "./spin.ts";
import { type BoundMethod, checkNames, methodsOf } from "./methods.ts";

/** What `connect` posts to a worker, at once and when it hears that the worker is ready. */
export interface ConnectRequest {
  readonly kind: "portlab.connect";
  /** Which connection it is, of those of the thread that asks. */
  readonly id: number;
  readonly buffer: SharedArrayBuffer;
}

/** What `serve` posts to the thread that has started the worker. */
export type ServeReply =
  /** Functions are there: what was posted before may have been missed. */
  | { readonly kind: "portlab.ready" }
  | { readonly kind: "portlab.served"; readonly id: number; readonly names: readonly string[] }
  | { readonly kind: "portlab.failed"; readonly id: number; readonly error: ErrorReport };

/** How functions are served. */
export interface ServeOptions {
  /** The most bytes of the arguments of a call, which fails with a `LengthRefusedError` else; 1 GiB when absent. */
  readonly limitBytes?: number;
}

let isServing = false;

/**
 * Serves functions to the thread that has started this worker, where `connect` makes them callable. The
 * worker's event loop goes on: timers, messages and promises have their turns between calls.
 *
 * The methods of an object or of its class can be called unless their names begin with `_`. A function may
 * return a promise; its calls then overlap with others. Arguments and results are copied, as
 * `structuredClone` has it.
 *
 * @throws {TypeError} when this thread is no worker, there is no function, one is called `then`, as which a
 * connection would be taken for a promise, or there is no such option
 * @throws {RangeError} when the limit is not a number of at least 0
 *
 * @example
 * ```ts
 * import { serve } from "./serve.ts";
 * const functions = { add: (a: number, b: number) => a + b };
 * export type Functions = typeof functions;
 * if (typeof WorkerGlobalScope !== "undefined") serve(functions); // the whole worker
 * ```
 */
export function serve(functions: object, options: ServeOptions = {}): void {
  const { limitBytes = MESSAGE_LIMIT_BYTES } = options;
  checkNames("serve", options, ["limitBytes"]);
  limitOf({ limitBytes });
  const methods = Object(functions) === functions ? methodsOf(functions) : new Map<string, never>();
  if (methods.size === 0 || methods.has("then")) {
    throw new TypeError(
      `Cannot serve the object as it must have functions, and none called then: those are ${
        [...methods.keys()].join(", ") || "none"
      }`,
    );
  }
  const parent = findParent();
  if (isServing) {
    throw new TypeError(
      "Cannot serve again as this worker does: give all functions to one serve()",
    );
  }
  isServing = true;
  const served: ServedLine[] = [];
  onLastMoments((thrown) => served.forEach((line) => line.end(thrown)));
  parent.listen((message) => {
    const request = message as Partial<ConnectRequest> | null | undefined;
    if (request?.kind !== "portlab.connect") return; // of the user's own code
    const one = answer(parent, request as ConnectRequest, {
      names: [...methods.keys()],
      serveLine: (line) => new ServedLine(line, [...methods], limitBytes),
    });
    if (!one) return;
    served.push(one);
    // What the caller broke ends its own line, and no other.
    void one.run().catch((error) => one.end(error))
      .finally(() => served.splice(served.indexOf(one), 1));
  });
  parent.postMessage({ kind: "portlab.ready" } satisfies ServeReply);
}

interface Offer {
  readonly names: readonly string[];
  readonly serveLine: (line: Line) => ServedLine;
}

function answer(
  parent: Parent,
  { id, buffer }: ConnectRequest,
  { names, serveLine }: Offer,
): ServedLine | undefined {
  try {
    const line = Line.attach(buffer);
    if (!line) return undefined;
    const served = serveLine(line);
    parent.postMessage({ kind: "portlab.served", id, names } satisfies ServeReply);
    return served;
  } catch (error) {
    const reply: ServeReply = { kind: "portlab.failed", id, error: errorReport(error) };
    parent.postMessage(reply);
    return undefined;
  }
}

/** Of a call: a spread of some thousand times as many ends the program, and not by an error. */
const ARGUMENTS_MAX = 1 << 16;
/** One look for a call in so many is long although the last ones were for nothing. */
const PROBE_EVERY = 64;
/** For so long behind a call the thread sleeps by itself, and its event loop with it. */
const NAPS_MILLISECONDS = 20;
/** How long it sleeps so: timers are late by no more. */
const NAP_MILLISECONDS = 1;
const NAPS_BETWEEN_TURNS = 4;
/** How long a result that is larger than the ring is written without a turn for others. */
const PATIENCE_MILLISECONDS = 2;

/** Without an array for its values, which are few. */
function callWith(method: BoundMethod, letter: LetterReader, name: string): unknown {
  if (letter.isClone) return method(...argumentsOf(letter.nextClone(), name));
  switch (letter.count) {
    case 0:
      return method();
    case 1:
      return method(letter.next());
    case 2:
      return method(letter.next(), letter.next());
    case 3:
      return method(letter.next(), letter.next(), letter.next());
  }
  return method(letter.next(), letter.next(), letter.next(), letter.next());
}

function argumentsOf(value: unknown, name: string): readonly unknown[] {
  if (Array.isArray(value) && value.length <= ARGUMENTS_MAX) return value;
  throw new RangeError(`Cannot call ${name} as it takes at most ${ARGUMENTS_MAX} arguments`);
}

/** The server's end of a line. */
class ServedLine {
  readonly #end: LineEnd;
  readonly #methods: readonly (readonly [string, BoundMethod])[];
  readonly #encoder = new CloneEncoder();
  readonly #waiter: BellWaiter;
  readonly #spin = new Spin(PROBE_EVERY);
  readonly #clientBell: Doorbell;
  readonly #letter: LetterReader;
  readonly #reply: LetterWriter;
  #nextLetter = 1;
  /** The call that came by letter and has no answer; 0: there is none. */
  #letteredId = 0;
  #asyncCount = 0;

  constructor(
    line: Line,
    methods: readonly (readonly [string, BoundMethod])[],
    limitBytes: number,
  ) {
    this.#methods = methods;
    this.#end = new LineEnd(line, "server", {
      receive: (frame) => this.#serve(frame),
      limitBytes,
    });
    this.#waiter = new BellWaiter(this.#end.bell, "park");
    this.#clientBell = line.bellOf("client");
    this.#letter = new LetterReader(line.words, LAYOUT.letters.client);
    this.#reply = new LetterWriter(line.words, LAYOUT.letters.server);
  }

  /** Serves until the line is ended. */
  async run(): Promise<void> {
    const turns = new LoopTurns();
    let [servedAt, naps, hasServed] = [-Infinity, 0, false];
    const isOver = () => this.#end.line.isEnded;
    const pump = () => this.#pump() || undefined;
    while (!isOver()) {
      if (this.#asyncCount > 0 ? pump() : this.#spin.until(pump)) {
        hasServed = true;
        if (this.#asyncCount > 0) await undefined; // promises that were kept meanwhile
        if (turns.isDue) await turns.take();
        continue;
      }
      // Only where nothing is to be done: a look at the clock takes as long as a call.
      if (hasServed) [servedAt, naps, hasServed] = [performance.now(), 0, false];
      if (this.#asyncCount === 0 && performance.now() - servedAt < NAPS_MILLISECONDS) {
        if (turns.isDue || ++naps % NAPS_BETWEEN_TURNS === 0) await turns.take();
        else this.#nap();
      } else {
        await this.#waiter.waitAsync(() => isOver() || pump(), NO_GUARD);
        servedAt = performance.now();
      }
    }
  }

  /** Serves what has come, at most one call; returns whether it got on. */
  #pump(): boolean {
    return this.#serveLetter() || this.#end.pump();
  }

  #serveLetter(): boolean {
    const letter = this.#letter;
    if (!letter.watch(this.#nextLetter, 1)) return false;
    this.#nextLetter = this.#nextLetter + 1 | 0;
    letter.open();
    const { id } = letter;
    this.#letteredId = id;
    this.#run(id, letter.kind, (method, name) => callWith(method, letter, name));
    return true;
  }

  /** A sleep that ends sooner than one on the event loop. */
  #nap(): void {
    const { bell, line } = this.#end;
    line.setNaps(true);
    // Sync: as BellWaiter: a look after arming, or a call and its ring could both be missed.
    const armed = bell.arm();
    if (!this.#pump() && !line.isEnded) bell.sleep(armed, NAP_MILLISECONDS);
    bell.disarm();
    line.setNaps(false);
  }

  /** The last words, to whoever waits for an answer. */
  end(thrown: unknown): void {
    try {
      this.#post(FrameKind.ended, 0, this.#encoder.encode(thrown));
    } catch {
      // Nothing more can be said.
    }
    this.#end.line.end();
  }

  #serve({ kind, id, value, error }: Frame): void {
    // A letter that is there was written before what the ring has.
    this.#serveLetter();
    this.#run(id, kind, (method, name) => {
      if (error) throw error;
      return method(...argumentsOf(value, name));
    });
  }

  #run(id: number, kind: number, call: (method: BoundMethod, name: string) => unknown): void {
    const [name, method] = this.#methods[kind - FrameKind.call] ?? [];
    try {
      if (!method) throw new RangeError("Cannot call a function that is not there");
      const result = call(method, name!);
      if (!isPromise(result)) return this.#answer(id, result, name!);
      this.#asyncCount++;
      void this.#answerLater(id, result, name!).catch((broken) => this.end(broken));
    } catch (thrown) {
      this.#answerThrown(id, thrown);
    }
  }

  async #answerLater(id: number, result: PromiseLike<unknown>, name: string): Promise<void> {
    try {
      this.#answer(id, await result, name);
    } catch (thrown) {
      this.#answerThrown(id, thrown);
    } finally {
      this.#asyncCount--;
    }
  }

  /** By letter where that is how the call came, and the result is small. */
  #answer(id: number, result: unknown, name: string): void {
    const isLettered = id === this.#letteredId;
    if (isLettered && this.#reply.putOne(FrameKind.result, id, result)) return this.#sendReply();
    const message = this.#encoder.encode(result, `the result of ${name}`);
    if (isLettered && this.#reply.putClone(FrameKind.result, id, message)) return this.#sendReply();
    this.#post(FrameKind.result, id, message);
  }

  #sendReply(): void {
    this.#letteredId = 0;
    // There is one letter under way at a time: this answers the last one.
    this.#reply.send(this.#nextLetter - 1 | 0);
    this.#clientBell.ring();
  }

  #answerThrown(id: number, thrown: unknown): void {
    const encoder = this.#encoder;
    let message: CloneMessage;
    try {
      message = encoder.encode(thrown, "what was thrown");
    } catch {
      message = encoder.encode(errorFrom(errorReport(thrown)));
    }
    this.#post(FrameKind.thrown, id, message);
  }

  #post(kind: number, id: number, message: CloneMessage): void {
    if (id === this.#letteredId) this.#letteredId = 0;
    this.#end.post(kind, id, message);
    if (!this.#end.hasOutgoing) return;
    const start = performance.now();
    while (this.#end.hasOutgoing && performance.now() - start < PATIENCE_MILLISECONDS) {
      this.#end.flush();
    }
    this.#end.keep();
  }
}
