/** What a client sees of a port: hostrpc's own words, and what it may do when it has the lock. */
export const ClientState = {
  /** May be claimed. */
  idle: "idle",
  posted: "work posted for server",
  /** The server will clean up; nothing to do here. */
  finished: "finished with result",
  /** The client owns the packet: it reads the result, or collects what an asynchronous call left. */
  result: "result available",
} as const;
/** One of {@linkcode ClientState}. */
export type ClientState = typeof ClientState[keyof typeof ClientState];

/** What a server sees of a port. */
export const ServerState = {
  idle: "idle / waiting",
  /** The server resets its outbox: the port is idle then. */
  garbage: "garbage to clean up",
  /** The server owns the packet. */
  work: "work to do",
  waiting: "waiting for client",
} as const;
/** One of {@linkcode ServerState}. */
export type ServerState = typeof ServerState[keyof typeof ServerState];

/**
 * | inbox | outbox | client                 |
 * | ----- | ------ | ---------------------- |
 * | 0     | 0      | idle                   |
 * | 0     | 1      | work posted for server |
 * | 1     | 0      | finished with result   |
 * | 1     | 1      | result available       |
 *
 * A word that is not 0 counts as 1: it comes from the other side.
 */
export function clientState(inbox: number, outbox: number): ClientState {
  if (inbox === 0) return outbox === 0 ? ClientState.idle : ClientState.posted;
  return outbox === 0 ? ClientState.finished : ClientState.result;
}

/**
 * | inbox | outbox | server              |
 * | ----- | ------ | ------------------- |
 * | 0     | 0      | idle / waiting      |
 * | 0     | 1      | garbage to clean up |
 * | 1     | 0      | work to do          |
 * | 1     | 1      | waiting for client  |
 *
 * A word that is not 0 counts as 1: it comes from the other side.
 */
export function serverState(inbox: number, outbox: number): ServerState {
  if (inbox === 0) return outbox === 0 ? ServerState.idle : ServerState.garbage;
  return outbox === 0 ? ServerState.work : ServerState.waiting;
}
