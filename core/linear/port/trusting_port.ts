import { assert } from "../../memory/assert.ts";
import type { PacketWork } from "../../memory/packet.ts";
import type { WaitOptions } from "../../wait/deadline.ts";
import { type Either, either } from "../maybe.ts";
import { type BarePort, CLOSED_PORT, leaveAsIs, type PortOwner } from "./bare_port.ts";

/** A function of this library that a program calls; its caller is who consumes the port. */
export type Entry = (...inputs: never[]) => unknown;

/**
 * The typed port of a client or server whose checks are off. One object lives through all states
 * of an opened port and trusts that nobody uses an old name of it: only an operation that does not
 * fit the present state is noticed.
 *
 * What a name is stands in the protected methods: how it is looked at, consumed, and followed by the
 * next one. `CheckedPort` has others; the operations are written here, once.
 */
export class TrustingPort {
  /** Which port of the channel this is; said of a closed port, too. */
  readonly index: number;
  protected readonly owner: PortOwner;
  #port: BarePort;
  /**
   * Counts the operations on the port: even while its packet is on this side, odd while it is not. An
   * operation that leaves the packet where it is counts two, so that the number is another one for each
   * name that the port had.
   */
  #step = 0;

  /** @param port open, with the packet on this side */
  constructor(port: BarePort, owner: PortOwner) {
    this.index = port.index;
    this.#port = port;
    this.owner = owner;
  }

  get inbox(): number {
    return this.isOwned ? this.outbox : 1 - this.outbox;
  }

  get outbox(): number {
    return this.peek("outbox").outbox;
  }

  use(work: PacketWork): void {
    const port = this.peek("use()");
    try {
      port.use(this.lent(work));
    } finally {
      // A send inside of the callback gave the port up, which nobody could close then.
      if (port.isOpen && this.isReleased) {
        this.owner.onFailure(port, new Error("Cannot send inside of a port's own callback"));
      }
    }
  }

  send(fill: PacketWork = leaveAsIs): this {
    const port = this.peek("send()");
    assert(this.isOwned, "a port that sends has its packet");
    this.consume("send()", this.send);
    try {
      port.send(this.lent(fill));
    } catch (error) {
      this.#giveUp(port, error);
    }
    return this.next(port, false);
  }

  recv(use: PacketWork = leaveAsIs, options?: WaitOptions): this {
    const port = this.#beginRecv("recv()", this.recv);
    try {
      port.recv(this.lent(use), options);
    } catch (error) {
      this.#giveUp(port, error);
    }
    return this.next(port, true);
  }

  async recvAsync(use: PacketWork = leaveAsIs, options?: WaitOptions): Promise<this> {
    const port = this.#beginRecv("recvAsync()", this.recvAsync);
    this.suspend();
    try {
      await port.recvAsync(this.lent(use), options);
    } catch (error) {
      this.#giveUp(port, error);
    }
    return this.next(port, true);
  }

  query(): Either<this, this> {
    const port = this.#beginRecv("query()", this.query);
    let isBack = false;
    try {
      isBack = port.tryRecv(leaveAsIs) !== undefined;
    } catch (error) {
      this.#giveUp(port, error);
    }
    return either(isBack, this.next(port, isBack));
  }

  close(): void {
    this.closeAs("close()", this.close);
  }

  /** For `move`: the same port under a new name. */
  renamed(): this {
    const port = this.peek("move()");
    this.consume("move()", this.renamed);
    return this.next(port, this.isOwned);
  }

  /**
   * Read where `using` begins, called where its block ends: closes the port unless an operation in
   * between consumed the name. One object serves all names, so the name must be remembered here.
   * What is closed is left alone.
   */
  get [Symbol.dispose](): () => void {
    const step = this.#port === CLOSED_PORT ? undefined : this.#step;
    return () => {
      if (this.#step === step) this.close();
    };
  }

  protected closeAs(operation: string, entry: Entry, hint?: string): void {
    const port = this.peek(operation);
    port.close(); // first: inside a callback of its own the port refuses, and stays open
    this.consume(operation, entry, hint);
    this.release(port);
    this.owner.onClosed(port);
  }

  #beginRecv(operation: string, entry: Entry): BarePort {
    const port = this.peek(operation);
    assert(!this.isOwned, "a port that receives has sent its packet");
    this.consume(operation, entry);
    return port;
  }

  #giveUp(port: BarePort, cause: unknown): never {
    this.release(port);
    this.owner.onFailure(port, cause);
    throw cause;
  }

  // ---- what a name is

  /** Whether the packet is on this side. */
  protected get isOwned(): boolean {
    return (this.#step & 1) === 0;
  }

  /** The port of the core, if this name is good for an operation. */
  protected peek(_operation: string): BarePort {
    return this.#port;
  }

  /** This name is done with. */
  protected consume(_operation: string, _entry: Entry, _hint?: string): void {}

  /** The name of the next state. */
  protected next(port: BarePort, isOwned: boolean): this {
    this.#port = port;
    this.#step += this.isOwned === isOwned ? 2 : 1;
    return this;
  }

  /** While it waits, no name of the port is good for anything. */
  protected suspend(): void {
    this.#port = CLOSED_PORT;
    this.#step += 2;
  }

  /** The port has no name any more. */
  protected release(_port: BarePort): void {
    this.suspend();
  }

  /** Whether the port was released while one of its operations ran. */
  protected get isReleased(): boolean {
    return this.#port === CLOSED_PORT;
  }

  /** What runs on the packet in place of a piece of work. */
  protected lent(work: PacketWork): PacketWork {
    return work;
  }
}
