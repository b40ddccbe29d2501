import { InvariantError } from "../../memory/assert.ts";
import type { PacketWork } from "../../memory/packet.ts";
import type { BarePort, PortOwner } from "./bare_port.ts";
import { ConsumedError, type OpenPorts, Place, type PortSession } from "./consumption.ts";
import { lending } from "./lent_packet.ts";
import { type Entry, TrustingPort } from "./trusting_port.ts";

/** What the checked ports of one client or server share. */
export interface CheckedContext {
  readonly openPorts: OpenPorts;
  readonly owner: PortOwner;
}

/** A port that is returned, stored or captured by name is closed all the same. */
const BLOCK_END_HINT = ", which a port outlives by move(port)";

/**
 * The typed port of a client or server whose checks are on: each state is an object of its own,
 * which remembers who consumed it.
 */
export class CheckedPort extends TrustingPort {
  readonly #context: CheckedContext;
  readonly #session: PortSession;
  readonly #isOwned: boolean;
  #consumedBy: Place | undefined;

  /** @param isOwned whether the packet of the session's port is on this side */
  constructor(context: CheckedContext, session: PortSession, isOwned: boolean) {
    super(session.port, context.owner);
    this.#context = context;
    this.#session = session;
    this.#isOwned = isOwned;
  }

  protected override get isOwned(): boolean {
    return this.#isOwned;
  }

  protected override peek(operation: string): BarePort {
    if (!this.#consumedBy) {
      if (this.#context.openPorts.isOpen(this.#session)) return this.#session.port;
      throw new InvariantError(
        `a port of a handler is used before the handler has returned: ${operation} came after, and ` +
          `the handler is that of ${this.#session.openedAt}`,
      );
    }
    const invariant =
      `port ${this.index} is used once: ${operation} came after ${this.#consumedBy}`;
    throw new ConsumedError(invariant, this.#consumedBy);
  }

  protected override consume(operation: string, entry: Entry, hint?: string): void {
    this.#consumedBy = new Place(operation, entry, hint);
  }

  protected override next(_port: BarePort, isOwned: boolean): this {
    return new CheckedPort(this.#context, this.#session, isOwned) as this;
  }

  /** It was consumed. */
  protected override suspend(): void {}

  protected override release(port: BarePort): void {
    this.#context.openPorts.end(port);
  }

  protected override get isReleased(): boolean {
    return !this.#context.openPorts.isOpen(this.#session);
  }

  protected override lent(work: PacketWork): PacketWork {
    return lending(work);
  }

  /** Closes the port unless something consumed this object. */
  override get [Symbol.dispose](): () => void {
    const dispose = () => {
      if (this.#consumedBy || this.isReleased) return;
      this.closeAs("the end of its 'using' block", dispose, BLOCK_END_HINT);
    };
    return dispose;
  }
}
