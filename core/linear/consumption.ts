import { InvariantError } from "../assert.ts";

/**
 * A linear value was used after something had consumed it: a bug in the program that calls. The
 * message says what consumed it and where; `cause` holds the whole stack of that place.
 */
export class ConsumedError extends InvariantError {
  override readonly name: string = "ConsumedError";

  constructor(invariant: string, place: Place) {
    super(invariant);
    this.cause = place.trace;
  }
}

/** A place in the program, taken down cheaply: the text is made only when somebody reads it. */
export class Place {
  readonly trace: Error;
  readonly #operation: string;

  /**
   * @param operation what happened there: `send()`
   * @param entry the function of this library that the program called; its callers are the place
   */
  constructor(operation: string, entry: (...inputs: never[]) => unknown) {
    this.#operation = operation;
    this.trace = new Error(`${operation} was called here`);
    Error.captureStackTrace?.(this.trace, entry);
  }

  /** `send() at file:///program.ts:12:8`. */
  toString(): string {
    return `${this.#operation} ${callerOf(this.trace.stack ?? "")}`;
  }
}

/** The first frame of a stack, in the forms `at f (url:1:2)`, `at url:1:2` and `f@url:1:2`. */
function callerOf(stack: string): string {
  const frame = /^\s*at .*?([^\s()]+:\d+:\d+)\)?$|^[^@\n]*@(.+:\d+:\d+)$/m.exec(stack);
  return frame ? `at ${frame[1] ?? frame[2]}` : "at an unknown place";
}
