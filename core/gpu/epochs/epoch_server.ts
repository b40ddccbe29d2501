import type { FaultReport } from "../../toggle/server/dispatch.ts";

/** What a run needs of a server; `Server` has it. */
export interface EpochServer {
  /** Serves at most one port; returns whether there was one. */
  serveOnce(): boolean;
  /** Looks at every port and serves each that has a call; returns how many had. */
  serveAll(): number;
  /** Whether some service is an asynchronous handler; no when absent. */
  readonly hasAsync?: boolean;
  /** Whether an asynchronous handler runs, or a call is pending; no when absent. */
  readonly isBusy?: boolean;
  /** Looks at each pending call once; returns how many have ended. None are when absent. */
  pollPending?(): number;
  /** Cancels the pending calls; there are none when absent. */
  cancelPending?(why: string): void;
  /**
   * Has a listener told of each fault, or nobody any more: packets have room for the beginning of an
   * error's text only, which is what the run tells when absent.
   */
  tellFaults?(listener?: (fault: FaultReport) => void): void;
  /** Whether the run ends here, whatever its waves still want; no when absent. */
  readonly hasEnded?: boolean;
}

/**
 * Checks that a server can serve a kernel without an event loop.
 *
 * @param way what works with one
 * @throws {TypeError} when a service is asynchronous: its calls would never end
 */
export function checkSynchronous({ hasAsync }: EpochServer, way: string): void {
  if (!hasAsync) return;
  throw new TypeError(
    `Cannot run a kernel without an event loop as a service is asynchronous: use ${way}`,
  );
}
