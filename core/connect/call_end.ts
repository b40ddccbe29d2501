import type { CloneReceiver, ErrorClass } from "../call/clone/tags.ts";
import type { CloneMessage } from "../call/clone/clone_encoder.ts";
import { mayBlock } from "../memory/words.ts";
import { BellWaiter } from "../wait/bell_waiter.ts";
import { Deadline, type WaitOptions } from "../wait/deadline.ts";
import { NO_GUARD } from "../wait/inbox_waiter.ts";
import { ASYNC_FRAMES, BLOCKING_FRAMES, guardOf, readAnswer, WorkerEndedError } from "./answer.ts";
import { type Carrier, NOTHING } from "./carrier.ts";
import { CallServer } from "./call_server.ts";
import { LAYOUT, type Line, type LineSide } from "./line/line.ts";
import { type Frame, FrameKind, LineEnd } from "./line/line_end.ts";
import { LetterCaller } from "./line/mail.ts";
import type { BoundMethod } from "./methods.ts";
import { sentFunction } from "./remote_function.ts";
import { RemoteIterator } from "./remote_iterator.ts";
import { Spin } from "./line/spin.ts";

/** A function of the other side. */
interface Target {
  readonly name: string;
  readonly index: number;
}

/** A call without an answer. */
interface Waiting {
  /** The function's name. */
  readonly name: string;
  answer: Frame | undefined;
  /** Of a call that does not block. */
  readonly settle?: (answer: Frame) => void;
}

/** One wait in so many is long although the last ones were for nothing. */
const PROBE_EVERY = 16;
/** As long as it takes to wake a worker that naps, which is then sooner there than one that wakes this side, too. */
const NAP_MILLISECONDS = 0.06;
/** Messages that are taken before promises have their turn. */
const MESSAGES_AT_ONCE = 256;
/** Looks for an answer by letter before anything else: about as long as a call of two threads that are awake. */
const LETTER_POLLS = 250;
const UNREADABLE = "what came from the worker cannot be read";

interface CallEndOptions {
  readonly side: LineSide;
  /** The most bytes of a message that comes. */
  readonly limitBytes: number;
  /** Classes of errors that both sides have, in the same order. */
  readonly errors?: readonly ErrorClass[] | undefined;
  /** What the other side may call from the start. */
  readonly methods?: readonly (readonly [string, BoundMethod])[];
}

/**
 * One side's end of a line, with the calls that it makes and those that it answers: the client's of what is served,
 * and both sides' of functions that were sent. Calls go by letter from the client only.
 */
export class CallEnd {
  readonly #end: LineEnd;
  readonly #server: CallServer;
  readonly #carrier: Carrier;
  readonly #isClient: boolean;
  /** What is carried that has to be here before the next message is read, up to this number. */
  #awaited = 0;
  /** Calls that block this thread, one in the other. */
  #blockedCount = 0;
  readonly #waiting = new Map<number, Waiting>();
  /** Calls that nobody waits for any more, and that the worker still works on. */
  readonly #late = new Set<number>();
  readonly #waiter: BellWaiter;
  readonly #spin = new Spin(PROBE_EVERY);
  readonly #napSpin = new Spin(PROBE_EVERY, NAP_MILLISECONDS);
  readonly #receiver: CloneReceiver;
  readonly #letters: LetterCaller;
  /** Messages that no answer tells of that they were taken. */
  #unanswered = 0;
  #nextId = 1;
  #asyncCount = 0;
  #isListening = false;
  #ended: { readonly why: string; readonly cause: unknown } | undefined;

  constructor(line: Line, { side, limitBytes, errors = [], methods = [] }: CallEndOptions) {
    const receiver: CloneReceiver = {
      errorClasses: errors,
      receiveFunction: (index, name) => {
        const shown = name === undefined ? "an iterator" : name || "a function";
        const sent = sentFunction(this, { name: shown, index });
        return name === undefined ? new RemoteIterator(sent as never) : sent;
      },
      receiveObject: (number) => this.#carrier.receive(number),
    };
    const receive = (frame: Frame) => this.#receive(frame);
    this.#isClient = side === "client";
    this.#end = new LineEnd(line, side, { receive, limitBytes, receiver });
    this.#server = new CallServer({
      end: this.#end,
      methods,
      receiver,
      isBlocked: () => this.#isClient && this.#blockedCount > 0,
      fail: (error) => this.sayEnded(error),
    });
    this.#carrier = this.#server.carrier;
    this.#receiver = receiver;
    this.#waiter = new BellWaiter(this.#end.bell, "park");
    const { client: there, server: back } = LAYOUT.letters;
    this.#letters = new LetterCaller(line.words, { there, back, bell: line.bellOf("server") });
  }

  /** From now on what cannot go through memory goes through a port; it is refused before. */
  carryBy(port: MessagePort): void {
    this.#carrier.open(port);
  }

  /** How many calls the worker has under way, also of those that were given up; infinite when it has ended. */
  get load(): number {
    // Their answers have come unseen where nobody has called since.
    if (this.#late.size > 0) { while (this.pump()); }
    return this.#ended || this.#end.line.isEnded ? Infinity : this.#waiting.size + this.#late.size;
  }

  /** See `RemoteFunction`. */
  call(target: Target, values: readonly unknown[], limits: WaitOptions): unknown {
    const { name } = target;
    if (!mayBlock()) {
      throw new TypeError(
        `Cannot block in ${name}() as this is the main thread of a page: use await ${name}.async()`,
      );
    }
    const deadline = Deadline.of(limits);
    const message = this.#putLetter(target, values);
    const { serverSleep } = this.#end.line;
    const id = this.#send(target, message);
    // What most calls come to: nothing has to be remembered of them.
    const isDirect = message === undefined && serverSleep === "awake" &&
      this.#server.functionCount === 0;
    if (isDirect && this.#letters.hasReply(LETTER_POLLS)) return this.#readReply(name);
    const waiting: Waiting = { name, answer: undefined };
    this.#waiting.set(id, waiting);
    const guard = deadline ? guardOf(deadline, name) : NO_GUARD;
    const attempt = () => this.#attempt(waiting);
    if (this.#server.functionCount > 0) this.#beginToListen();
    this.#blockedCount++;
    try {
      const answer = this.#spinFor(serverSleep, attempt) ?? this.#waiter.wait(attempt, guard);
      return readAnswer(answer, BLOCKING_FRAMES);
    } finally {
      this.#blockedCount--;
      this.#forget(id);
      if (this.#end.hasOutgoing) this.#end.keep();
    }
  }

  /** Looks for an answer for as long as that is quicker than a sleep: a worker on its event loop takes its time. */
  #spinFor(
    serverSleep: Line["serverSleep"],
    attempt: () => Frame | undefined,
  ): Frame | undefined {
    if (serverSleep === "sleeps") return undefined;
    return (serverSleep === "naps" ? this.#napSpin : this.#spin).until(attempt);
  }

  #attempt(waiting: Waiting): Frame | undefined {
    // Whatever is there already nobody rings for.
    while (this.pump() && !waiting.answer);
    if (!waiting.answer && this.#awaited > 0 && this.#carrier.needsTurns) {
      throw new TypeError(
        `Cannot take what ${waiting.name} moves or shares while this thread blocks: use await ${waiting.name}.async()`,
      );
    }
    if (!waiting.answer && this.#end.line.isEnded) this.finish();
    if (!waiting.answer && this.#ended) throw this.#endedError(waiting.name);
    return waiting.answer;
  }

  /**
   * Writes a call as a letter; returns what is to go through the ring where that cannot be. A letter is only
   * written when the worker has nothing else to do, so that it overtakes nothing.
   */
  #putLetter({ name, index }: Target, values: readonly unknown[]): CloneMessage | undefined {
    if (this.#ended) throw this.#endedError(name);
    const kind = FrameKind.call + index;
    if (this.#isAlone && this.#letters.put(kind, this.#nextId, values)) return undefined;
    const message = this.#server.encode(values, `the arguments of ${name}`);
    // A getter of the values may have called meanwhile, and ended the line.
    if (this.#ended) throw this.#endedError(name);
    const mayBeLetter = this.#isAlone && !this.#server.carries;
    return mayBeLetter && this.#letters.putClone(kind, this.#nextId, message) ? undefined : message;
  }

  get #isAlone(): boolean {
    return this.#isClient && this.#waiting.size === 0 && this.#late.size === 0 &&
      (this.#unanswered === 0 || this.#isTaken()) && this.#end.line.hasLetters;
  }

  #isTaken(): boolean {
    if (!this.#end.isTaken) return false;
    this.#unanswered = 0;
    return true;
  }

  /** Sends a message, or the letter that was written; returns the number of the call. */
  #send({ name, index }: Target, message: CloneMessage | undefined): number {
    const id = this.#nextId;
    this.#nextId = (id + 1 >>> 0) || 1;
    if (message === undefined) {
      this.#letters.send(id);
      return id;
    }
    // What waits for room is not behind a call that blocks: its bytes would change.
    try {
      this.#end.post(FrameKind.call + index, id, message);
    } catch (error) {
      this.end(UNREADABLE, error);
      throw this.#endedError(name);
    }
    return id;
  }

  /** What the letter brings that answers a call by letter. */
  #readReply(name: string): unknown {
    try {
      return this.#letters.read(this.#receiver);
    } catch (error) {
      this.end(UNREADABLE, error);
      throw this.#endedError(name);
    }
  }

  /** See `RemoteFunction.async`. */
  async callAsync(
    target: Target,
    values: readonly unknown[],
    limits: WaitOptions,
  ): Promise<unknown> {
    const { name } = target;
    const deadline = Deadline.of(limits);
    const { promise, resolve: settle, reject: fail } = Promise.withResolvers<Frame>();
    const id = this.#send(target, this.#putLetter(target, values));
    this.#waiting.set(id, { name, answer: undefined, settle });
    if (this.#end.hasOutgoing) this.#end.keep();
    this.#asyncCount++;
    this.#beginToListen();
    const stop = deadline?.watch(`finish the call of ${name}`, fail);
    try {
      return readAnswer(await promise, ASYNC_FRAMES);
    } finally {
      stop?.();
      this.#asyncCount--;
      this.#forget(id);
      if (this.#isListening && this.#asyncCount === 0) this.#end.bell.ring();
    }
  }

  #forget(id: number): void {
    if (!this.#waiting.get(id)?.answer) this.#late.add(id);
    this.#waiting.delete(id);
  }

  /** The other side may forget a function of its own. */
  release(index: number): void {
    if (this.#ended) return;
    try {
      if (this.#end.hasOutgoing) this.#end.keep();
      this.#end.post(FrameKind.released, index, NOTHING);
      this.#unanswered++;
    } catch (error) {
      this.end(UNREADABLE, error);
    }
  }

  #receive(frame: Frame): void {
    if (frame.kind >= FrameKind.call) {
      // A letter that is there was written before what the ring has.
      if (!this.#isClient) this.#server.serveLetter();
      return this.#server.serve(frame);
    }
    if (frame.kind === FrameKind.carried) return void (this.#awaited = frame.id);
    if (frame.kind === FrameKind.released) {
      this.#server.release(frame.id);
      if (this.#isListening && this.#isQuiet) this.#end.bell.ring();
      return;
    }
    if (frame.kind === FrameKind.ended) {
      return this.end("the worker ended itself, or threw where nobody caught it", frame.value);
    }
    if (frame.id === this.#letters.pendingId) this.#letters.pendingId = 0;
    const waiting = this.#waiting.get(frame.id);
    // Nobody waits any more: its time was over.
    if (!waiting) return void this.#late.delete(frame.id);
    waiting.answer = frame;
    waiting.settle?.(frame);
  }

  /** Returns whether it was read: not while something before it is not there yet. */
  #receiveReply(): boolean {
    // What was sent before it comes before it: calls of functions, and the end of what they were for.
    while (this.#server.functionCount > 0 && this.#hasCarried() && this.#end.pump());
    if (!this.#hasCarried()) return false;
    const id = this.#letters.pendingId;
    if (id === 0) return true;
    const name = this.#waiting.get(id)?.name ?? "a function";
    this.#receive({ kind: FrameKind.result, id, value: this.#readReply(name) });
    return true;
  }

  /** The event loop of a worker serves, and takes answers with that. */
  #beginToListen(): void {
    if (this.#isClient && !this.#isListening) void this.#listen();
  }

  /** Answers promises, and calls of functions that were sent, for as long as there are some. */
  async #listen(): Promise<void> {
    this.#isListening = true;
    const attempt = () => this.pump() || this.#isQuiet || undefined;
    while (!this.#isQuiet) {
      // A turn for who still asks, and for who was answered.
      await undefined;
      if (!this.#spin.until(attempt)) await this.#waiter.waitAsync(attempt, NO_GUARD);
    }
    this.#isListening = false;
  }

  get #isQuiet(): boolean {
    return this.#ended !== undefined ||
      (this.#asyncCount === 0 && this.#server.functionCount === 0 && !this.#end.hasOutgoing);
  }

  /** Whether somebody here waits on the event loop: for an answer, or for the promise of one. */
  get isBusy(): boolean {
    return this.#asyncCount > 0 || this.#server.asyncCount > 0;
  }

  /** Takes what has come, and answers calls; returns whether there was something. A broken line ends here. */
  pump(): boolean {
    if (this.#ended) return false;
    let count = 0;
    try {
      if (!this.#isClient) return this.#pumpOne();
      if (this.#letters.pendingId !== 0 && this.#letters.hasReply(1) && this.#receiveReply()) {
        count++;
      }
      while (count < MESSAGES_AT_ONCE && this.#pumpOne()) count++;
      if (count === 0 && this.#end.line.isEnded) this.finish();
    } catch (error) {
      this.end(UNREADABLE, error);
    }
    return count > 0;
  }

  #pumpOne(): boolean {
    if (!this.#hasCarried()) return false;
    return (!this.#isClient && this.#server.serveLetter()) || this.#end.pump() ||
      this.#server.servePostponed();
  }

  /** Whether what the next message in the ring holds has come beside it. */
  #hasCarried(): boolean {
    if (this.#awaited > 0 && !this.#carrier.has(this.#awaited)) return false;
    this.#awaited = 0;
    return true;
  }

  /** The worker has ended: what it has said before still counts. May be repeated. */
  finish(cause?: unknown): void {
    try {
      if (this.#letters.pendingId !== 0 && this.#letters.hasReply(1)) this.#receiveReply();
      while (!this.#ended && this.#hasCarried() && this.#end.pump());
    } catch {
      // As below.
    }
    this.end(this.#isClient ? "the worker has ended" : "the connection was ended", cause);
  }

  /** The last words of this side, to whoever waits for an answer. */
  sayEnded(thrown: unknown): void {
    try {
      this.#server.post(FrameKind.ended, 0, this.#server.encode(thrown, "what was thrown"));
    } catch {
      // Nothing more can be said.
    }
    this.end("the connection was ended", thrown);
  }

  /** Fails what waits, and all later calls. May be repeated. */
  end(why: string, cause?: unknown): void {
    if (this.#ended) return;
    this.#ended = { why, cause };
    this.#end.line.end();
    for (const { name, settle } of this.#waiting.values()) {
      settle?.({ kind: FrameKind.thrown, id: 0, value: this.#endedError(name) });
    }
  }

  #endedError(name: string): WorkerEndedError {
    const { why, cause } = this.#ended!;
    const detail = cause instanceof Error ? `: ${cause.message}` : "";
    const options = cause === undefined ? {} : { cause };
    return new WorkerEndedError(`Cannot finish the call of ${name} as ${why}${detail}`, options);
  }
}
