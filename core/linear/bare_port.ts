import type { PacketWork } from "../port.ts";
import type { WaitOptions } from "../wait.ts";

/**
 * What typed ports need of the port of the core that is under them: the part that `ClientPort` and
 * `ServerPort` have in common. It knows its state at run time and asserts it; the types on top add
 * that a wrong order does not compile.
 */
export interface BarePort {
  readonly index: number;
  readonly outbox: number;
  readonly isOpen: boolean;
  use(work: PacketWork): void;
  send(fill: PacketWork): unknown;
  recv(use: PacketWork, options?: WaitOptions): unknown;
  recvAsync(use: PacketWork, options?: WaitOptions): Promise<unknown>;
  /** Gives `undefined` when the packet is not back. */
  tryRecv(use: PacketWork): unknown;
  close(): void;
}

/**
 * What becomes of a port when an operation on it throws: it was consumed, so nobody can close it.
 * Given the port, which may be closed, and what was thrown.
 */
export type GiveUp<P extends BarePort = BarePort> = (port: P, cause: unknown) => void;

/** The work of an operation that was given none. */
export function leaveAsIs(): void {}
