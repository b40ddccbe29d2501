import { InvariantError } from "../../memory/assert.ts";
import type { PacketWork } from "../../memory/packet.ts";
import type { BarePort, PortOwner } from "./bare_port.ts";
import { ConsumedError, type OpenPorts, Place, type PortSession } from "./consumption.ts";
import { lending } from "./lent_packet.ts";
import { type Entry, PortOperations } from "./port_operations.ts";

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
export class CheckedPort extends PortOperations {
  readonly #context: CheckedContext;
  readonly #session: PortSession;
  protected override readonly isOwned: boolean;
  #consumedBy: Place | undefined;

  /** @param isOwned whether the packet of the session's port is on this side */
  constructor(context: CheckedContext, session: PortSession, isOwned: boolean) {
    super();
    this.#context = context;
    this.#session = session;
    this.isOwned = isOwned;
  }

  override get index(): number {
    return this.#session.port.index;
  }

  override get outbox(): number {
    return this.peek("outbox").outbox;
  }

  protected override get owner(): PortOwner {
    return this.#context.owner;
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

  protected override release(port: BarePort): void {
    this.#context.openPorts.end(port);
  }

  protected override isReleased(): boolean {
    return !this.#context.openPorts.isOpen(this.#session);
  }

  protected override lent(work: PacketWork): PacketWork {
    return lending(work);
  }

  /** Closes the port unless something consumed this object. */
  [Symbol.dispose](): void {
    if (this.#consumedBy || this.isReleased()) return;
    this.closeAs("the end of its 'using' block", this[Symbol.dispose], BLOCK_END_HINT);
  }
}
