import type { ChannelHandle } from "../toggle/channel_handle.ts";
import type { FaultReport } from "../toggle/server/dispatch.ts";
import type { WaiterName } from "../wait/strategy.ts";
import type { ErrorReport } from "../call/error_report.ts";

/** What a parent asks of a server worker, in this order; `register` at any time after `start`. */
export type ServerRequest =
  | ServerStart
  /** Answered when the channel has ended. */
  | { readonly kind: "serve" }
  /** Loads a module that exports `addServices(server)`. */
  | { readonly kind: "register"; readonly serviceUrl: string };

/** Answered with the server's id, when it is ready to serve. */
export interface ServerStart {
  readonly kind: "start";
  readonly handle: ChannelHandle;
  readonly server: { readonly waiter: WaiterName; readonly clientTimeoutSeconds?: number };
  /** Modules that export `addServices(server)`. */
  readonly serviceUrls: readonly string[];
}

/** What a server worker tells its parent unasked: a call that ended badly. */
export interface ServerNote extends Omit<FaultReport, "cause"> {
  /** What the handler threw. */
  readonly cause?: ErrorReport;
}
