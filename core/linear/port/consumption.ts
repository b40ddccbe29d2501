import { InvariantError } from "../../memory/assert.ts";
import type { BarePort } from "./bare_port.ts";

/**
 * A linear value was used after something had consumed it: a bug in the program that calls. The
 * message says what consumed it and where; `cause` holds the whole stack of that place.
 *
 * @example
 * ```ts
 * import { Channel, Client } from "../../mod.ts";
 * import { ConsumedError, TypedClient } from "../mod.ts";
 *
 * const client = new TypedClient(new Client(Channel.create({ portCount: 1, laneCount: 1 })));
 * const port = client.open(40_000);
 * port.close();
 * try {
 *   // deno-lint-ignore linear/double-move
 *   port.close();
 *   throw new Error("not noticed");
 * } catch (error) {
 *   if (!(error instanceof ConsumedError)) throw error; // close() came after close() at file:...:9:6
 * }
 * ```
 */
export class ConsumedError extends InvariantError {
  /** The name of the class, also in another isolate. */
  override readonly name: string = "ConsumedError";

  /** @internal Says what was broken, and keeps where the value was consumed. */
  constructor(invariant: string, place: Place) {
    super(invariant);
    this.cause = place.cause;
  }
}

/** A place in the program, taken down cheaply: the text is made only when somebody reads it. */
export class Place {
  readonly #operation: string;
  readonly #hint: string;
  /** Not an `Error`, whose construction would take a second trace. */
  readonly #trace: { readonly stack?: string };

  /**
   * @param operation what happened there: `send()`
   * @param entry the function of this library that the program called; its callers are the place
   * @param hint what else the reader wants to know, after the place
   */
  constructor(operation: string, entry: (...inputs: never[]) => unknown, hint = "") {
    this.#operation = operation;
    this.#hint = hint;
    this.#trace = traceOf(entry);
  }

  /** An error whose stack is that of the place; for `cause`. */
  get cause(): Error {
    const cause = new Error(`${this.#operation} happened here`);
    cause.stack = `${cause}\n${framesOf(this.#trace.stack ?? "")}`;
    return cause;
  }

  /** `send() at file:///program.ts:12:8`. */
  toString(): string {
    return `${this.#operation} ${callerOf(this.#trace.stack ?? "")}${this.#hint}`;
  }
}

function traceOf(entry: (...inputs: never[]) => unknown): { readonly stack?: string } {
  if (!Error.captureStackTrace) return new Error();
  const trace = {};
  Error.captureStackTrace(trace, entry);
  return trace;
}

/** A stack without the line that names the error. */
function framesOf(stack: string): string {
  return stack.replace(/^(?!\s*at |[^\n]*@).*\n/, "");
}

/** The first frame of a stack, in the forms `at f (url:1:2)`, `at url:1:2` and `f@url:1:2`. */
export function callerOf(stack: string): string {
  const frame = /^\s*at .*?([^\s()]+:\d+:\d+)\)?$|^[^@\n]*@(.+:\d+:\d+)$/m.exec(stack);
  return frame ? `at ${frame[1] ?? frame[2]}` : "at an unknown place";
}

/** The time from opening a port to closing it, when checks are on. */
export interface PortSession {
  readonly port: BarePort;
  readonly openedAt: Place;
}

/** What handlers of one registration did wrong. */
interface Misuses {
  readonly count: number;
  readonly last: string;
}

/**
 * The ports that a client or server with checks has opened and nobody has closed, and what its
 * handlers did to theirs: those are gone when a call is over, and the misuse is not.
 */
export class OpenPorts {
  readonly #sessions = new Map<BarePort, PortSession>();
  readonly #misuses = new Map<Place, Misuses>();

  begin(port: BarePort, openedAt: Place): PortSession {
    const session = { port, openedAt };
    this.#sessions.set(port, session);
    return session;
  }

  /** @returns whether the port was open */
  end(port: BarePort): boolean {
    return this.#sessions.delete(port);
  }

  isOpen(session: PortSession): boolean {
    return this.#sessions.get(session.port) === session;
  }

  /** Remembers what a handler let out that was set at `place`: one line a place, however many calls. */
  noteMisuse(place: Place, error: InvariantError): void {
    const count = (this.#misuses.get(place)?.count ?? 0) + 1;
    this.#misuses.set(place, { count, last: error.message });
  }

  /**
   * @throws {InvariantError} that names each port that is open, and where it was opened; or the
   *   handlers that left theirs open or used it twice, and where they were set
   */
  assertNone(): void {
    const sessions = [...this.#sessions.values()];
    const leaks = sessions.map(({ port, openedAt }) => `port ${port.index}, ${openedAt}`);
    if (leaks.length > 0) {
      throw new InvariantError(`every port was closed: still open are ${leaks.join("; ")}`);
    }
    const misuses = [...this.#misuses].map(([place, { count, last }]) =>
      `the handler of ${place} failed ${count} times, at last with "${last}"`
    );
    if (misuses.length > 0) {
      throw new InvariantError(`handlers use their ports once: ${misuses.join("; ")}`);
    }
  }
}
