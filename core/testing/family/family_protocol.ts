import type { WaitOptions } from "../../wait/deadline.ts";

/** A client of any protocol: sends a number and gets a number back. */
export interface FamilyClient {
  /** Blocks. */
  call(opcode: number, value: number, options?: WaitOptions): number;
  callAsync(opcode: number, value: number, options?: WaitOptions): Promise<number>;
  /** Sends a call without an answer; false when the channel is full. Bounded. */
  tryCast(opcode: number, value: number): boolean;
}

/** A server of any protocol. */
export interface FamilyServer {
  operate(opcode: number, work: (value: number) => number): void;
  /** Serves one call if there is one. Never waits. */
  runOnce(): boolean;
  /** Blocks until the channel ends. */
  run(): void;
}

/** A channel of any protocol. */
export interface FamilyChannel {
  /** What to post to a worker. */
  readonly handle: { readonly buffer: SharedArrayBuffer };
  client(): FamilyClient;
  server(onFault?: (fault: { readonly cause?: unknown }) => void): FamilyServer;
  /** Ends the channel on both sides. */
  stop(): void;
}

/** A protocol for the suite. */
export interface FamilyProtocol {
  /** Whether there must be only one server at a time. False when absent. */
  readonly hasOneServer?: boolean;
  /** A channel with room for this many calls under way. */
  create(callCount: number): FamilyChannel;
  /** In another isolate. */
  attach(handle: never): FamilyChannel;
}
