import type { Callable, CloneReceiver } from "../call/clone/tags.ts";
import type { CloneMessage } from "../call/clone/clone_encoder.ts";

import { errorFrom, errorReport } from "../call/error_report.ts";
import { isPromise } from "../memory/sync_result.ts";
import { LAYOUT } from "./line/line.ts";
import { cutStack } from "./answer.ts";
import { Carrier, NOTHING } from "./carrier.ts";
import { type Frame, FrameKind, type LineEnd } from "./line/line_end.ts";
import { LetterReader, LetterWriter } from "./line/mail.ts";
import type { BoundMethod } from "./methods.ts";

/** Of a call: a spread of some thousand times as many ends the program, and not by an error. */
const ARGUMENTS_MAX = 1 << 16;
/** How long a result that is larger than the ring is written without a turn for others. */
const PATIENCE_MILLISECONDS = 2;
/** Calls within calls, of functions that wait for each other: more of them wait for their turn. */
const DEPTH_MAX = 64;

/** What a side can be asked for. */
interface Served {
  readonly name: string;
  readonly method: BoundMethod;
  readonly isIterator: boolean;
}

interface CallServerOptions {
  readonly end: LineEnd;
  readonly methods: readonly (readonly [string, BoundMethod])[];
  readonly receiver: CloneReceiver;
  /** Whether this thread waits for the other one in a call that blocks: no promise can be kept until it ends. */
  readonly isBlocked: () => boolean;
  /** Called when a line has come to its end here. */
  readonly fail: (error: unknown) => void;
}

/** Answers the calls that come over a line: of the functions that are served, and of those that were sent. */
export class CallServer {
  readonly #end: LineEnd;
  readonly carrier: Carrier;
  readonly #served = new Map<number, Served>();
  readonly #methodCount: number;
  #nextFunction: number;
  readonly #receiver: CloneReceiver;
  readonly #isBlocked: () => boolean;
  readonly #fail: (error: unknown) => void;
  readonly #letter: LetterReader;
  readonly #reply: LetterWriter;
  readonly #clientBell;
  #nextLetter = 1;
  /** The call that came by letter and has no answer; 0: there is none. */
  #letteredId = 0;
  #depth = 0;
  readonly #postponed: Frame[] = [];
  /** Whether the last message that was encoded holds what is carried beside the line: it is none for a letter. */
  carries = false;
  /** How many promises of results are to be kept. */
  asyncCount = 0;

  constructor(options: CallServerOptions) {
    const { end, methods } = options;
    this.#end = end;
    this.carrier = new Carrier({
      errorClasses: options.receiver.errorClasses,
      sendFunction: this.add,
      wake: () => end.bell.ring(),
    });
    this.#receiver = options.receiver;
    this.#isBlocked = options.isBlocked;
    this.#fail = options.fail;
    methods.forEach(([name, method], index) =>
      this.#served.set(index, { name, method, isIterator: false })
    );
    this.#methodCount = this.#nextFunction = methods.length;
    const { words } = end.line;
    this.#letter = new LetterReader(words, LAYOUT.letters.client);
    this.#reply = new LetterWriter(words, LAYOUT.letters.server);
    this.#clientBell = end.line.bellOf("client");
  }

  /** How many functions the other side may call that were sent to it. */
  get functionCount(): number {
    return this.#served.size - this.#methodCount;
  }

  /** The number by which the other side calls a function from now on. */
  readonly add = (value: Callable, isIterator: boolean): number => {
    const name = value.name || (isIterator ? "an iterator" : "a function");
    this.#served.set(this.#nextFunction, { name, method: value, isIterator });
    return this.#nextFunction++;
  };

  /** Encodes a message of this side. Of one that cannot be sent, the other side has no functions. */
  encode(value: unknown, root: string): CloneMessage {
    // What waits for room may be the encoder's last message.
    if (this.#end.hasOutgoing) this.#end.keep();
    const firstFunction = this.#nextFunction;
    const { sentCount } = this.carrier;
    this.carries = false;
    let isSent = false;
    try {
      const message = this.carrier.encode(value, root);
      isSent = true;
      this.carries = this.carrier.sentCount > sentCount;
      if (this.carries) this.#end.post(FrameKind.carried, this.carrier.sentCount, NOTHING);
      return message;
    } finally {
      for (let number = firstFunction; !isSent && number < this.#nextFunction; number++) {
        this.#served.delete(number);
      }
    }
  }

  /** Forgets a function that the other side does not want any more. What it served from the start stays. */
  release(number: number): void {
    const served = this.#served.get(number);
    if (!served || number < this.#methodCount) return;
    this.#served.delete(number);
    if (!served.isIterator) return;
    // Whoever was in the middle of its members is told; what becomes of that is nobody's any more.
    void (async () => await served.method("return"))().catch(() => {});
  }

  /** Serves the letter that has come, if there is one. */
  serveLetter(): boolean {
    const letter = this.#letter;
    if (!letter.watch(this.#nextLetter, 1)) return false;
    this.#nextLetter = this.#nextLetter + 1 | 0;
    letter.open();
    const { id } = letter;
    this.#letteredId = id;
    this.#run(id, letter.kind, (method, name) => this.#callWith(method, letter, name));
    return true;
  }

  /** Serves a call that came through the ring. */
  serve(frame: Frame): void {
    if (this.#depth >= DEPTH_MAX) return void this.#postponed.push(frame);
    this.#run(frame.id, frame.kind, (method, name) => this.#callWithAll(method, frame, name));
  }

  /** Serves one call that came while too many others were being served; returns whether there was one. */
  servePostponed(): boolean {
    const frame = this.#depth === 0 ? this.#postponed.shift() : undefined;
    if (frame) this.serve(frame);
    return frame !== undefined;
  }

  /** A method of the class, as the one below: by that its line is known in a stack. */
  #callWithAll(method: BoundMethod, { value, error }: Frame, name: string): unknown {
    if (error) throw error;
    return method(...argumentsOf(value, name));
  }

  /** Without an array for values, which are few. */
  #callWith(method: BoundMethod, letter: LetterReader, name: string): unknown {
    if (letter.isClone) {
      return method(...argumentsOf(letter.nextClone(this.#receiver), name));
    }
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

  #run(id: number, kind: number, call: (method: BoundMethod, name: string) => unknown): void {
    this.#depth++;
    try {
      const { name, method } = this.#served.get(kind - FrameKind.call) ?? NOT_THERE;
      const result = call(method, name);
      if (!isPromise(result)) return this.#answer(id, result, name);
      if (this.#isBlocked()) refusePromise(result, name);
      this.asyncCount++;
      void this.#answerLater(id, result, name).catch(this.#fail);
    } catch (thrown) {
      this.#answerThrown(id, thrown);
    } finally {
      this.#depth--;
    }
  }

  async #answerLater(id: number, result: PromiseLike<unknown>, name: string): Promise<void> {
    try {
      this.#answer(id, await result, name);
    } catch (thrown) {
      this.#answerThrown(id, thrown);
    } finally {
      this.asyncCount--;
    }
  }

  /** By letter where that is how the call came, and the result is small. */
  #answer(id: number, result: unknown, name: string): void {
    if (id === this.#letteredId && this.#reply.putOne(FrameKind.result, id, result)) {
      return this.#sendReply();
    }
    const message = this.encode(result, `the result of ${name}`);
    const isLettered = id === this.#letteredId && !this.carries;
    if (isLettered && this.#reply.putClone(FrameKind.result, id, message)) return this.#sendReply();
    this.post(FrameKind.result, id, message);
  }

  #sendReply(): void {
    this.#letteredId = 0;
    // There is one letter under way at a time: this answers the last one.
    this.#reply.send(this.#nextLetter - 1 | 0);
    this.#clientBell.ring();
  }

  #answerThrown(id: number, thrown: unknown): void {
    let message: CloneMessage;
    try {
      cutStack(thrown);
      message = this.encode(thrown, "what was thrown");
    } catch {
      message = this.encode(errorFrom(errorReport(thrown)), "what was thrown");
    }
    this.post(FrameKind.thrown, id, message);
  }

  /** Sends an answer, which need not fit in the ring. */
  post(kind: number, id: number, message: CloneMessage): void {
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

/** In the place of a function that is none of those that may be called. */
const NOT_THERE: Served = {
  name: "a function",
  method: () => {
    throw new RangeError(
      "Cannot call a function that is not there: it was released, or never sent",
    );
  },
  isIterator: false,
};

function argumentsOf(value: unknown, name: string): readonly unknown[] {
  if (Array.isArray(value) && value.length <= ARGUMENTS_MAX) return value;
  throw new RangeError(`Cannot call ${name} as it takes at most ${ARGUMENTS_MAX} arguments`);
}

function refusePromise(result: PromiseLike<unknown>, name: string): never {
  void Promise.resolve(result).catch(() => {});
  throw new TypeError(
    `Cannot wait for the promise of ${name} as its thread blocks in a call: call the worker by .async()`,
  );
}
