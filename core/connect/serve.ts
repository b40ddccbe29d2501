import type { ErrorClass } from "../call/clone/tags.ts";
import { type ErrorReport, errorReport } from "../call/error_report.ts";
import { limitOf } from "../call/limit.ts";
import { BellWaiter } from "../wait/bell_waiter.ts";
import type { Doorbell } from "../wait/doorbell.ts";
import { NO_GUARD } from "../wait/inbox_waiter.ts";
import { LoopTurns } from "../wait/loop_turns.ts";
import { findParent, onLastMoments, type Parent } from "../worker/worker_scope.ts";
import { CallEnd } from "./call_end.ts";
import { Line } from "./line/line.ts";
import { MESSAGE_LIMIT_BYTES } from "./line/line_end.ts";
import { checkErrors, checkNames, methodsOf } from "./methods.ts";
import { Spin } from "./line/spin.ts";

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
  | {
    readonly kind: "portlab.served";
    readonly id: number;
    readonly names: readonly string[];
    readonly port: MessagePort;
  }
  | { readonly kind: "portlab.failed"; readonly id: number; readonly error: ErrorReport };

/** How functions are served. */
export interface ServeOptions {
  /** The most bytes of the arguments of a call, which fails with a `LengthRefusedError` else; 1 GiB when absent. */
  readonly limitBytes?: number;
  /** Classes of errors that are the same here and there, as given to `connect`: see `ConnectionOptions.errors`. */
  readonly errors?: readonly ErrorClass[];
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
  const { limitBytes = MESSAGE_LIMIT_BYTES, errors = [] } = options;
  checkNames("serve", options, ["limitBytes", "errors"]);
  checkErrors("serve", errors);
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
      serveLine: (line) => new ServedLine(line, { methods: [...methods], limitBytes, errors }),
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
    const { port1, port2: port } = new MessageChannel();
    const served = serveLine(line);
    served.calls.carryBy(port1);
    parent.postMessage({ kind: "portlab.served", id, names, port } satisfies ServeReply, [port]);
    return served;
  } catch (error) {
    const reply: ServeReply = { kind: "portlab.failed", id, error: errorReport(error) };
    parent.postMessage(reply);
    return undefined;
  }
}

/** One look for a call in so many is long although the last ones were for nothing. */
const PROBE_EVERY = 64;
/** For so long behind a call the thread sleeps by itself, and its event loop with it. */
const NAPS_MILLISECONDS = 20;
/** How long it sleeps so: timers are late by no more. */
const NAP_MILLISECONDS = 1;
const NAPS_BETWEEN_TURNS = 4;
/** The server's end of a line, and its waits. */
class ServedLine {
  readonly #line: Line;
  readonly calls: CallEnd;
  readonly #bell: Doorbell;
  readonly #waiter: BellWaiter;
  readonly #spin = new Spin(PROBE_EVERY);

  constructor(line: Line, options: Omit<ConstructorParameters<typeof CallEnd>[1], "side">) {
    this.#line = line;
    this.calls = new CallEnd(line, { side: "server", ...options });
    this.#bell = line.bellOf("server");
    this.#waiter = new BellWaiter(this.#bell, "park");
  }

  /** Serves until the line is ended. */
  async run(): Promise<void> {
    const turns = new LoopTurns();
    const [line, calls] = [this.#line, this.calls];
    let [servedAt, naps, hasServed] = [-Infinity, 0, false];
    const pump = () => calls.pump() || undefined;
    while (!line.isEnded) {
      if (calls.isBusy ? pump() : this.#spin.until(pump)) {
        hasServed = true;
        if (calls.isBusy) await undefined; // promises that were kept meanwhile
        if (turns.isDue) await turns.take();
        continue;
      }
      // Only where nothing is to be done: a look at the clock takes as long as a call.
      if (hasServed) [servedAt, naps, hasServed] = [performance.now(), 0, false];
      if (!calls.isBusy && performance.now() - servedAt < NAPS_MILLISECONDS) {
        if (turns.isDue || ++naps % NAPS_BETWEEN_TURNS === 0) await turns.take();
        else this.#nap();
      } else {
        await this.#waiter.waitAsync(() => line.isEnded || pump(), NO_GUARD);
        servedAt = performance.now();
      }
    }
  }

  /** A sleep that ends sooner than one on the event loop. */
  #nap(): void {
    const bell = this.#bell;
    this.#line.setNaps(true);
    // Sync: as BellWaiter: a look after arming, or a call and its ring could both be missed.
    const armed = bell.arm();
    if (!this.calls.pump() && !this.#line.isEnded) bell.sleep(armed, NAP_MILLISECONDS);
    bell.disarm();
    this.#line.setNaps(false);
  }

  /** The last words, to whoever waits for an answer. */
  end(thrown: unknown): void {
    this.calls.sayEnded(thrown);
  }
}
