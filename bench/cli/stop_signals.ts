/** What a terminal sends on Ctrl-C, and what a system or a scheduler of jobs sends before it kills. */
const SIGNALS: readonly (readonly [name: Deno.Signal, exitCode: number])[] =
  Deno.build.os === "windows" ? [["SIGINT", 130]] : [["SIGINT", 130], ["SIGTERM", 143]];

/** How a sweep is asked to end. */
export interface StopRequest extends Disposable {
  /** Is aborted at the first request; the second ends the program at once. */
  readonly signal: AbortSignal;
  /** Exit code of a program that was asked to end; 0 while it was not. */
  readonly exitCode: number;
}

/**
 * Listens to requests to end, so that a sweep can end its point and show what it has, until disposed.
 */
export function listenToStop(): StopRequest {
  const controller = new AbortController();
  let code = 0;
  const listeners = SIGNALS.map(([name, exitCode]) => {
    const listener = () => {
      if (controller.signal.aborted) Deno.exit(exitCode);
      code = exitCode;
      controller.abort();
    };
    Deno.addSignalListener(name, listener);
    return () => Deno.removeSignalListener(name, listener);
  });
  return {
    signal: controller.signal,
    get exitCode() {
      return code;
    },
    [Symbol.dispose]: () => listeners.forEach((remove) => remove()),
  };
}
