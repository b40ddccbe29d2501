import type { PortWaiter } from "../../wait/inbox_waiter.ts";
import type { WaiterName } from "../../wait/strategy.ts";
import type { FaultReport } from "./dispatch.ts";

/** How a server behaves. */
export interface ServerOptions {
  /** How to wait for work and, in the middle of a call, for its client; `adaptive` when absent. */
  readonly waiter?: WaiterName;
  /** Another way to wait in the middle of a call. */
  readonly portWaiter?: PortWaiter;
  /**
   * How long a client may take for one step in the middle of its call, in seconds; 5 when absent.
   * Then the call is given up and the server goes on; `Infinity` lets one idle client hold it up.
   */
  readonly clientTimeoutSeconds?: number;
  /**
   * Whether a client is told the stack of what a handler threw, with the paths of this side's files;
   * true when absent. False for clients that are not trusted.
   */
  readonly tellsStacks?: boolean;
  /**
   * Told of each call that was refused or failed. What it throws ends no call; it is thrown again on the
   * event loop, where nobody catches it: an `error` event, as of any listener that throws.
   */
  readonly onFault?: (fault: FaultReport) => void;
}
