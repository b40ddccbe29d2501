import { assert } from "../../memory/assert.ts";
import type { PacketWork } from "../../memory/packet.ts";
import type { WaitOptions } from "../../wait/deadline.ts";
import { type BarePort, CLOSED_PORT, leaveAsIs, type PortOwner } from "./bare_port.ts";
import { type Either, either } from "../maybe.ts";

/**
 * The typed port of a client or server whose checks are off. One object lives through all states
 * of an opened port and trusts that nobody uses an old name of it: only an operation that does not
 * fit the present state is noticed.
 */
export class TrustingPort {
  /** Which port of the channel this is; said of a closed port, too. */
  readonly index: number;
  #port: BarePort;
  readonly #owner: PortOwner;
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
    this.#owner = owner;
  }

  get inbox(): number {
    return this.outbox ^ (this.#step & 1);
  }

  get outbox(): number {
    return this.#port.outbox;
  }

  use(work: PacketWork): void {
    const port = this.#port;
    try {
      port.use(work);
    } finally {
      // A send inside of the callback gave the port up, which nobody could close then.
      if (this.#port === CLOSED_PORT && port.isOpen) {
        this.#owner.onFailure(port, new Error("Cannot send inside of a port's own callback"));
      }
    }
  }

  send(fill: PacketWork = leaveAsIs): this {
    assert((this.#step & 1) === 0, "a port that sends has its packet");
    const port = this.#port;
    try {
      port.send(fill);
    } catch (error) {
      this.#giveUp(port, error);
    }
    this.#step++;
    return this;
  }

  recv(use: PacketWork = leaveAsIs, options?: WaitOptions): this {
    this.#assertSent();
    const port = this.#port;
    try {
      port.recv(use, options);
    } catch (error) {
      this.#giveUp(port, error);
    }
    this.#step++;
    return this;
  }

  async recvAsync(use: PacketWork = leaveAsIs, options?: WaitOptions): Promise<this> {
    this.#assertSent();
    const port = this.#letGo(); // while it waits, no name of the port is good for anything
    try {
      await port.recvAsync(use, options);
    } catch (error) {
      this.#giveUp(port, error);
    }
    this.#port = port;
    this.#step++;
    return this;
  }

  query(): Either<this, this> {
    this.#assertSent();
    let isBack = false;
    try {
      isBack = this.#port.tryRecv(leaveAsIs) !== undefined;
    } catch (error) {
      this.#giveUp(this.#port, error);
    }
    this.#step += isBack ? 1 : 2;
    return either(isBack, this);
  }

  close(): void {
    const port = this.#port;
    port.close();
    this.#letGo();
    this.#owner.onClosed(port);
  }

  /** For `move`: the same port under a new name. */
  renamed(): this {
    this.#step += 2;
    return this;
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

  #assertSent(): void {
    assert((this.#step & 1) === 1, "a port that receives has sent its packet");
  }

  #letGo(): BarePort {
    const port = this.#port;
    this.#port = CLOSED_PORT;
    this.#step += 2;
    return port;
  }

  #giveUp(port: BarePort, cause: unknown): never {
    this.#letGo();
    this.#owner.onFailure(port, cause);
    throw cause;
  }
}
