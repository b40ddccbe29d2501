import { cloneValue } from "./clone_value.ts";
import { errorReport } from "../../../call/error_report.ts";

/**
 * What a guest has in place of the runtime's: timers that are numbers and take no texts as code, a clock
 * with nothing but the time, copies that are made without the runtime, and a console that prints
 * nothing. They use what they find now.
 *
 * @param print takes what the guest writes, and what it throws where nobody catches it
 */
export function ourGlobals(print: (text: string) => void): Record<string, object> {
  const { Number, setTimeout, setInterval, queueMicrotask, performance, Event } = globalThis;
  const dispatch = globalThis.dispatchEvent.bind(globalThis);
  const uncaught = (thrown: unknown) => print(`Uncaught ${describeThrown(thrown)}`);
  // What nobody catches would be printed by the runtime, whatever text it has.
  globalThis.addEventListener("error", (event) => {
    event.preventDefault();
    uncaught(event.error);
  });
  globalThis.addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    uncaught(event.reason);
  });
  /** The runtime would look at what it throws, and meet what a proxy answers. */
  function caught(work: Work): (...values: unknown[]) => void {
    if (typeof work !== "function") throw new TypeError("Cannot run later what is no function");
    return (...values) => {
      try {
        work(...values);
      } catch (error) {
        uncaught(error);
      }
    };
  }
  const log = (...values: unknown[]) => print(values.map(shown).join(" "));
  return {
    // The runtime gives it each event.
    dispatchEvent(event: Event) {
      if (event instanceof Event) return dispatch(event);
      throw new TypeError("Cannot dispatch what is no event of the runtime's");
    },
    setTimeout: (work: Work, delay?: unknown, ...values: unknown[]) =>
      Number(setTimeout(caught(work), milliseconds(delay), ...values)),
    setInterval: (work: Work, delay?: unknown, ...values: unknown[]) =>
      Number(setInterval(caught(work), milliseconds(delay), ...values)),
    queueMicrotask: (work: Work) => queueMicrotask(caught(work)),
    structuredClone: cloneValue,
    performance: { now: () => performance.now() },
    ["console"]: { log, info: log, warn: log, error: log, debug: log, trace: log },
  };
}

type Work = (...values: unknown[]) => unknown;

/** The runtime prints a warning of delays that it cannot count. */
function milliseconds(delay: unknown): number {
  return Math.min(Math.max(Math.trunc(Number(delay)) || 0, 0), 2 ** 31 - 1);
}

/** What was thrown, as one text. */
export function describeThrown(thrown: unknown): string {
  const { name, message } = errorReport(thrown);
  return `${name}: ${message}`;
}

/** A value as the console writes it. */
function shown(value: unknown): string {
  if (value instanceof Error) return describeThrown(value);
  try {
    return typeof value === "object" ? JSON.stringify(value) : String(value);
  } catch (error) {
    return describeThrown(error);
  }
}
