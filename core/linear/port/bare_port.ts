import { InvariantError } from "../../memory/assert.ts";
import type { PacketWork } from "../../memory/packet.ts";
import type { WaitOptions } from "../../wait/deadline.ts";

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

/** Whoever opened a port, and wants to hear of its end. */
export interface PortOwner<P extends BarePort = BarePort> {
  /** An operation threw: the port, which may be closed, was consumed and nobody can close it. */
  onFailure(port: P, cause: unknown): void;
  /** The port was closed, and no typed port knows it any more: the object may be used again. */
  onClosed(port: P): void;
}

/** Put in place of the port of the core when a typed port is done with it: refuses every operation. */
export const CLOSED_PORT: BarePort = {
  index: -1,
  isOpen: false,
  get outbox(): number {
    return refuse();
  },
  use: refuse,
  send: refuse,
  recv: refuse,
  recvAsync: refuse,
  tryRecv: refuse,
  close: refuse,
};

function refuse(): never {
  throw new InvariantError("the port is open");
}

/** The work of an operation that was given none. */
export function leaveAsIs(): void {}
