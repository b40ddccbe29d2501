import type { ChannelHandle } from "../toggle/channel.ts";
import type { ServerFault } from "../toggle/server/dispatch.ts";
import type { WaiterName } from "../wait/strategy.ts";

/** What a server worker is started with. */
export interface ServerBoot {
  readonly kind: "boot";
  readonly handle: ChannelHandle;
  readonly waiter: WaiterName;
  /** Modules that export `register(server)`. */
  readonly serviceUrls: readonly string[];
}

/** What its parent may ask of a server worker that runs. */
export interface ServerRegister {
  readonly kind: "register";
  readonly requestId: number;
  readonly serviceUrl: string;
}

export type ServerRequest = ServerBoot | ServerRegister;

/** A fault as it crosses to the parent: what was thrown travels as text. */
export interface FaultReport extends Omit<ServerFault, "cause"> {
  readonly message: string;
}

/** An error as it crosses to the parent. */
export interface FailureReport {
  readonly message: string;
  readonly stack: string;
}

/** What a server worker tells its parent. All else goes through shared memory. */
export type ServerReply =
  | { readonly kind: "ready"; readonly serverId: number }
  | { readonly kind: "registered"; readonly requestId: number; readonly failure?: FailureReport }
  | { readonly kind: "fault"; readonly fault: FaultReport }
  | { readonly kind: "done" }
  | ({ readonly kind: "failed" } & FailureReport);

/** An error, or whatever else was thrown, as data. */
export function failureReport(thrown: unknown): FailureReport {
  if (!(thrown instanceof Error)) return { message: String(thrown), stack: "" };
  return { message: thrown.message, stack: thrown.stack ?? "" };
}
