import { type Status, statusName } from "../memory/status.ts";

/**
 * A call that the server refused, failed or will never answer. The port that it happened on is
 * the client's again (or the channel is gone), and can be closed.
 *
 * @example
 * ```ts
 * import { CallError } from "./call_error.ts";
 * import { Status } from "../memory/status.ts";
 * const error = new CallError(Status.unhandledOpcode, { opcode: 40000 });
 * if (!error.message.includes("40000")) throw error;
 * ```
 */
export class CallError extends Error {
  /** The name of the class, also in another isolate. */
  override readonly name = "CallError";
  /** Why, as a number of {@linkcode Status}. */
  readonly status: Status;
  /** What was asked for. */
  readonly opcode: number;

  /** Says what was asked for, and what the server said beside the status. */
  constructor(status: Status, reason: { readonly opcode: number; readonly detail?: string }) {
    const detail = reason.detail ? `: ${reason.detail}` : "";
    super(
      `Cannot finish the call of opcode ${reason.opcode} as ${
        EXPLANATIONS[statusName(status)]
      }${detail}`,
    );
    this.status = status;
    this.opcode = reason.opcode;
  }
}

const EXPLANATIONS: Record<ReturnType<typeof statusName>, string> = {
  ok: "nothing is wrong",
  unhandledOpcode: "the server has no handler for it",
  handlerFailed: "its handler threw",
  lengthRefused: "a stream was longer than the server takes",
  badMask: "its lane mask is empty or names lanes beyond the channel's",
  outOfStep: "the handler ended before the client did",
  serverGone: "the server was shut down",
  clientLate: "the client did not go on in time",
  askedToLeave: "this client was asked to leave the channel",
  unknown: "the server answered with a status that this version does not know",
};
