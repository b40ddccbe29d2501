/**
 * What the server tells the client about a call, in the header beside the lane mask. Numbers are
 * wire format: append only. LLVM libc has no such word: there an unhandled opcode hands the
 * client its own request as if it were the reply.
 */
export const Status = {
  ok: 0,
  /** No handler is registered for the opcode. */
  unhandledOpcode: 1,
  /** The handler threw; its message is in the packet. */
  handlerFailed: 2,
  /** A stream was longer than the receiver's limit; the message is in the packet. */
  lengthRefused: 3,
  /** The lane mask was empty or named lanes that the channel does not have. */
  badMask: 4,
  /** The client went on with a call that the server's handler had already left. */
  outOfStep: 5,
  /** The server, or the whole channel, was shut down before it answered. */
  serverGone: 6,
  /** The client did not go on with a call in the time that the server gives it. */
  clientLate: 7,
  /** This client was asked to leave the channel. Never on the wire: the client says it to itself. */
  askedToLeave: 8,
  /** An asynchronous handler did not finish in its time. */
  handlerLate: 9,
  /** The handler ended, or asked for more, without an answer: the packet holds the request still. */
  noReply: 10,
} as const;
/** One of the numbers of {@linkcode Status}. */
export type Status = typeof Status[keyof typeof Status];

const NAMES = Object.keys(Status) as readonly (keyof typeof Status)[];

/**
 * The name of a status word, or `"unknown"` for a number that no server of this version writes.
 *
 * @example
 * ```ts
 * import { Status, statusName } from "./status.ts";
 * if (statusName(Status.badMask) !== "badMask") throw new Error("wrong name");
 * ```
 */
export function statusName(status: number): keyof typeof Status | "unknown" {
  return NAMES[status] ?? "unknown";
}
