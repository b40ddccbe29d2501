import { Status, statusName } from "../memory/status.ts";

/** What a {@linkcode CallError} tells beside its status. */
export interface CallErrorReason {
  /** What was asked for. */
  readonly opcode: number;
  /** What the caller calls that, where it has a name. */
  readonly name?: string | undefined;
  /** Where the caller's text calls it, as "in line 4", where that is known. */
  readonly place?: string | undefined;
  /** What the server said beside the status. */
  readonly detail?: string;
  /** What a handler threw: its name, message and stack, from the server's side. */
  readonly cause?: Error;
  /** The whole message, where somebody else has said already what happened. */
  readonly message?: string;
}

/**
 * A call that the server refused, failed or will never answer. The port that it happened on is
 * the client's again (or the channel is gone), and can be closed. When a handler threw, `cause` is
 * an error with the name, the message and the stack of what it threw.
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
  constructor(status: Status, reason: CallErrorReason) {
    const { opcode, name, place } = reason;
    const isUnhandled = status === Status.unhandledOpcode; // its server goes by the opcode
    const named = isUnhandled ? `${name} (opcode ${opcode})` : name;
    const called = name === undefined ? `opcode ${opcode}` : named;
    const detail = reason.detail ? `: ${reason.detail}` : "";
    super(
      reason.message ??
        `Cannot finish the call of ${called}${place ? ` ${place}` : ""} as ${
          EXPLANATIONS[statusName(status)]
        }${detail}`,
      reason.cause === undefined ? {} : { cause: reason.cause },
    );
    this.status = status;
    this.opcode = opcode;
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
  handlerLate: "its asynchronous handler did not finish in time",
  noReply: "its handler gave no answer",
  unknown: "the server answered with a status that this version does not know",
};
