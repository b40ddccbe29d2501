/** An error as it crosses to another isolate or into a packet: data, with nothing of it lost. */
export interface ErrorReport {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
}

/**
 * Describes what was thrown, whatever it was.
 *
 * @example
 * ```ts
 * import { errorFrom, errorReport } from "./error_report.ts";
 * const report = errorReport(new RangeError("too long"));
 * const again = errorFrom(report);
 * if (again.name !== "RangeError" || again.message !== "too long") throw again;
 * ```
 */
export function errorReport(thrown: unknown): ErrorReport {
  try {
    if (!(thrown instanceof Error)) return { name: "Error", message: String(thrown), stack: "" };
    const { name, message, stack = "" } = thrown;
    return { name: String(name), message: String(message), stack: String(stack) };
  } catch {
    // Where the thing that was thrown throws again when it is asked for its text.
    return { name: "Error", message: "what was thrown cannot be described", stack: "" };
  }
}

/** An error with the name, the message and the stack of the one that was reported. */
export function errorFrom({ name, message, stack }: ErrorReport): Error {
  const error = new Error(message);
  error.name = name;
  if (stack !== "") error.stack = stack;
  return error;
}
