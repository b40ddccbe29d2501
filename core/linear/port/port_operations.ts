import { assert } from "../../memory/assert.ts";
import type { PacketWork } from "../../memory/packet.ts";
import type { WaitOptions } from "../../wait/deadline.ts";
import { type Either, either } from "../maybe.ts";
import { type BarePort, leaveAsIs, type PortOwner } from "./bare_port.ts";

/** A function of this library that a program calls; its caller is who consumes the port. */
export type Entry = (...inputs: never[]) => unknown;

/**
 * The operations of a typed port, written once. With checks each state is an object of its own, which
 * knows who consumed it; without, one object goes through all states. They differ in what a name is:
 * how it is looked at, consumed, and followed by the next one.
 */
export abstract class PortOperations {
  /** Which port of the channel this is; said of a closed port, too. */
  abstract readonly index: number;
  abstract readonly outbox: number;
  /** Whether the packet is on this side. */
  protected abstract readonly isOwned: boolean;
  protected abstract readonly owner: PortOwner;

  /** The port of the core, if this name is good for an operation. */
  protected abstract peek(operation: string): BarePort;
  /** This name is done with. */
  protected abstract consume(operation: string, entry: Entry, hint?: string): void;
  /** The name of the next state. */
  protected abstract next(port: BarePort, isOwned: boolean): this;
  /** The port has no name any more. */
  protected abstract release(port: BarePort): void;
  /** Whether the port was released while one of its operations ran. */
  protected abstract isReleased(port: BarePort): boolean;
  /** What runs on the packet in place of a piece of work. */
  protected abstract lent(work: PacketWork): PacketWork;

  get inbox(): number {
    return this.isOwned ? this.outbox : 1 - this.outbox;
  }

  use(work: PacketWork): void {
    const port = this.peek("use()");
    try {
      port.use(this.lent(work));
    } finally {
      // A send inside of the callback gave the port up, which nobody could close then.
      if (port.isOpen && this.isReleased(port)) {
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
}
