import { assert, InvariantError } from "../../memory/assert.ts";
import type { PacketWork } from "../../memory/packet.ts";
import type { WaitOptions } from "../../wait/deadline.ts";
import { type BarePort, leaveAsIs, type PortOwner } from "./bare_port.ts";
import { ConsumedError, type OpenPorts, Place, type PortSession } from "./consumption.ts";
import { type Either, guardedEither } from "../maybe.ts";
import { lending } from "./lent_packet.ts";

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
export class CheckedPort {
  readonly #context: CheckedContext;
  readonly #session: PortSession;
  readonly #isOwned: boolean;
  #consumedBy: Place | undefined;

  /** @param isOwned whether the packet of the session's port is on this side */
  constructor(context: CheckedContext, session: PortSession, isOwned: boolean) {
    this.#context = context;
    this.#session = session;
    this.#isOwned = isOwned;
  }

  get #port(): BarePort {
    return this.#session.port;
  }

  get index(): number {
    return this.#port.index;
  }

  get inbox(): number {
    return this.#isOwned ? this.outbox : 1 - this.outbox;
  }

  get outbox(): number {
    this.#assertHere("outbox");
    return this.#port.outbox;
  }

  use(work: PacketWork): void {
    this.#assertHere("use()");
    assert(this.#isOwned, "a port that is used has its packet");
    try {
      this.#port.use(lending(work));
    } finally {
      // A send inside of the callback gave the port up, which nobody could close then.
      const { openPorts, owner } = this.#context;
      if (this.#port.isOpen && !openPorts.isOpen(this.#session)) {
        owner.onFailure(this.#port, new Error("Cannot send inside of a port's own callback"));
      }
    }
  }

  send(fill: PacketWork = leaveAsIs): CheckedPort {
    this.#assertHere("send()");
    assert(this.#isOwned, "a port that sends has its packet");
    this.#consume(new Place("send()", this.send));
    this.#run(() => this.#port.send(lending(fill)));
    return this.#next(false);
  }

  recv(use: PacketWork = leaveAsIs, options?: WaitOptions): CheckedPort {
    this.#beginRecv("recv()", this.recv);
    this.#run(() => this.#port.recv(lending(use), options));
    return this.#next(true);
  }

  async recvAsync(use: PacketWork = leaveAsIs, options?: WaitOptions): Promise<CheckedPort> {
    this.#beginRecv("recvAsync()", this.recvAsync);
    try {
      await this.#port.recvAsync(lending(use), options);
    } catch (error) {
      this.#giveUp(error);
    }
    return this.#next(true);
  }

  query(): Either<CheckedPort, CheckedPort> {
    this.#beginRecv("query()", this.query);
    const isBack = this.#run(() => this.#port.tryRecv(leaveAsIs)) !== undefined;
    return guardedEither(isBack, this.#next(isBack));
  }

  close(): void {
    this.#assertHere("close()");
    this.#closeAt(new Place("close()", this.close));
  }

  /** For `move`: the same port as a new object. */
  renamed(): CheckedPort {
    this.#assertHere("move()");
    this.#consume(new Place("move()", this.renamed));
    return this.#next(this.#isOwned);
  }

  /** Closes the port unless something consumed this object. */
  [Symbol.dispose](): void {
    if (this.#consumedBy || !this.#context.openPorts.isOpen(this.#session)) return;
    this.#closeAt(new Place("the end of its 'using' block", this[Symbol.dispose], BLOCK_END_HINT));
  }

  #closeAt(place: Place): void {
    this.#port.close(); // first: inside a callback of its own the port refuses, and stays open
    this.#consume(place);
    this.#context.openPorts.end(this.#port);
  }

  #assertHere(operation: string): void {
    if (!this.#consumedBy) {
      if (this.#context.openPorts.isOpen(this.#session)) return;
      throw new InvariantError(
        `a port of a handler is used before the handler has returned: ${operation} came after, and ` +
          `the handler is that of ${this.#session.openedAt}`,
      );
    }
    const invariant =
      `port ${this.index} is used once: ${operation} came after ${this.#consumedBy}`;
    throw new ConsumedError(invariant, this.#consumedBy);
  }

  #beginRecv(operation: string, entry: (...inputs: never[]) => unknown): void {
    this.#assertHere(operation);
    assert(!this.#isOwned, "a port that receives has sent its packet");
    this.#consume(new Place(operation, entry));
  }

  #consume(place: Place): void {
    this.#consumedBy = place;
  }

  #next(isOwned: boolean): CheckedPort {
    return new CheckedPort(this.#context, this.#session, isOwned);
  }

  #run<T>(operation: () => T): T {
    try {
      return operation();
    } catch (error) {
      this.#giveUp(error);
    }
  }

  #giveUp(cause: unknown): never {
    this.#context.openPorts.end(this.#port);
    this.#context.owner.onFailure(this.#port, cause);
    throw cause;
  }
}
