/** An error as it crosses to another isolate or into a packet: data, with nothing of it lost. */
export interface ErrorReport {
  readonly name: string;
  readonly message: string;
  /** And behind it the stacks of its causes. */
  readonly stack: string;
}

/** Describes what was thrown, whatever it was. */
export function errorReport(thrown: unknown): ErrorReport {
  try {
    if (!isError(thrown)) return { name: "Error", message: String(thrown), stack: "" };
    const { name, message, stack = "" } = thrown;
    return {
      name: String(name),
      message: String(message),
      stack: String(stack) + causesOf(thrown),
    };
  } catch {
    // Where the thing that was thrown throws again when it is asked for its text.
    return { name: "Error", message: "what was thrown cannot be described", stack: "" };
  }
}

/** Errors that are told of beside the one that was thrown. */
const CAUSES_MAX = 16;

/** Of this realm or of another one, whose classes are others. */
function isError(thrown: unknown): thrown is Error {
  return thrown instanceof Error || Object.prototype.toString.call(thrown) === "[object Error]";
}

/** The causes of an error and theirs, and the errors of an `AggregateError`, each with its stack. */
function causesOf(error: Error): string {
  const told = new Set<unknown>([error]);
  let text = "";
  try {
    for (const one of told) {
      if (one !== error) text += `\nCaused by: ${isError(one) && one.stack || String(one)}`;
      for (const cause of isError(one) ? directCauses(one) : []) {
        if (told.size <= CAUSES_MAX) told.add(cause);
      }
    }
  } catch {
    // As above: the rest cannot be described.
  }
  return text;
}

function directCauses({ cause, errors }: Error & { readonly errors?: unknown }): unknown[] {
  const others: unknown[] = Array.isArray(errors) ? errors : [];
  return cause === undefined ? others : [cause, ...others];
}

/** As `instanceof`, for whatever was thrown: a proxy may throw when it is asked what it is. */
export function isThrown<Thrown extends Error>(
  thrown: unknown,
  kind: new (...args: never[]) => Thrown,
): thrown is Thrown {
  try {
    return thrown instanceof kind;
  } catch {
    return false;
  }
}

/** Classes that every realm has and that take a message: `instanceof` holds for them on the other side, too. */
const BUILT_IN: ReadonlyMap<string, new (message: string) => Error> = new Map(
  [EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError]
    .map((one) => [one.name, one]),
);

/** An error with the name, the message and the stack of the one that was reported, and its class if it is built in. */
export function errorFrom({ name, message, stack }: ErrorReport): Error {
  const error = new (BUILT_IN.get(name) ?? Error)(message);
  error.name = name;
  if (stack !== "") error.stack = stack;
  return error;
}

/** What was thrown, as an error that does not tell where that was. */
export function withoutStack(thrown: unknown): Error {
  return Object.assign(errorFrom(errorReport(thrown)), { stack: "" });
}
