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
  /** Not an `Error`, whose construction would take a second trace. */
  readonly #trace: { readonly stack?: string };

  /**
   * @param operation what happened there: `send()`
   * @param entry the function of this library that the program called; its callers are the place
   */
  constructor(operation: string, entry: (...inputs: never[]) => unknown) {
    this.#operation = operation;
    this.#trace = traceOf(entry);
  }

  /** An error whose stack is that of the place; for `cause`. */
  get cause(): Error {
    const cause = new Error(`${this.#operation} was called here`);
    cause.stack = `${cause}\n${framesOf(this.#trace.stack ?? "")}`;
    return cause;
  }

  /** `send() at file:///program.ts:12:8`. */
  toString(): string {
    return `${this.#operation} ${callerOf(this.#trace.stack ?? "")}`;
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

/** The ports that a client or server with checks has opened and nobody has closed. */
export class OpenPorts {
  readonly #sessions = new Map<BarePort, PortSession>();

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

  /** @throws {InvariantError} that names each port that is open, and where it was opened */
  assertNone(): void {
    if (this.#sessions.size === 0) return;
    const leaks = [...this.#sessions.values()].map(({ port, openedAt }) =>
      `port ${port.index}, ${openedAt}`
    );
    throw new InvariantError(`every port was closed: still open are ${leaks.join("; ")}`);
  }
}
