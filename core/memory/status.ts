/**
 * The outcome of a call, which the server writes into the header. Numbers are wire format: append only.
 * LLVM libc has no such word: there the client of an unhandled opcode gets its own request as the reply.
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
  /** The client continued a call that the server's handler had already left. */
  outOfStep: 5,
  /** The server or the whole channel was shut down before the answer. */
  serverGone: 6,
  /** The client did not continue a call within the server's time limit. */
  clientLate: 7,
  /** This client was asked to leave the channel. Never on the wire: only the client itself uses it. */
  askedToLeave: 8,
  /** An asynchronous handler did not finish within its time limit. */
  handlerLate: 9,
  /** The handler ended, or asked for more, without an answer: the packet still holds the request. */
  noReply: 10,
} as const;
/** One of the numbers of {@linkcode Status}. */
export type Status = typeof Status[keyof typeof Status];

const NAMES = Object.keys(Status) as readonly (keyof typeof Status)[];

/** The name of a status word, or `"unknown"` for a number that no server of this version writes. */
export function statusName(status: number): keyof typeof Status | "unknown" {
  return NAMES[status] ?? "unknown";
}
