import type { WaitOptions } from "../../wait/deadline.ts";

/** A client of any protocol: a number there and a number back. */
export interface FamilyClient {
  /** Blocks. */
  call(opcode: number, value: number, options?: WaitOptions): number;
  callAsync(opcode: number, value: number, options?: WaitOptions): Promise<number>;
  /** An asynchronous call; false when the channel is full. Bounded. */
  tryCast(opcode: number, value: number): boolean;
}

/** A server of any protocol. */
export interface FamilyServer {
  operate(opcode: number, work: (value: number) => number): void;
  /** Serves one call if there is one. Never waits. */
  serveOnce(): boolean;
  /** Blocks until the channel ends. */
  serve(): void;
}

/** A channel of any protocol. */
export interface FamilyChannel {
  /** What to post to a worker. */
  readonly handle: { readonly buffer: SharedArrayBuffer };
  client(): FamilyClient;
  server(onFault?: (fault: { readonly cause?: unknown }) => void): FamilyServer;
  /** Ends it for everybody. */
  stop(): void;
}

/** A protocol as the suite uses it. */
export interface FamilyProtocol {
  /** Whether there is one server at a time; else as many as one likes. */
  readonly hasOneServer?: boolean;
  /** A channel with room for so many calls that are under way. */
  create(callCount: number): FamilyChannel;
  /** In another isolate. */
  attach(handle: never): FamilyChannel;
}
