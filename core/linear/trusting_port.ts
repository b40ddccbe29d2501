import { assert } from "../assert.ts";
import type { PacketWork } from "../port.ts";
import type { WaitOptions } from "../wait.ts";
import { type BarePort, type GiveUp, leaveAsIs } from "./bare_port.ts";
import { type Either, either } from "./either.ts";
import type { PartialPort } from "./typed_port.ts";

/**
 * The typed port of a client or server whose checks are off. One object lives through all states
 * of an opened port and trusts that nobody uses an old name of it: only an operation that does not
 * fit the present state is noticed.
 */
export class TrustingPort {
  readonly #port: BarePort;
  readonly #onFailure: GiveUp;
  #isOwned = true;
  /** Counts the consuming operations: tells the name that `using` holds from its successors. */
  #moveCount = 0;

  /** @param port open, with the packet on this side */
  constructor(port: BarePort, onFailure: GiveUp) {
    this.#port = port;
    this.#onFailure = onFailure;
  }

  get index(): number {
    return this.#port.index;
  }

  get inbox(): number {
    return this.#isOwned ? this.outbox : 1 - this.outbox;
  }

  get outbox(): number {
    return this.#port.outbox;
  }

  use(work: PacketWork): void {
    this.#port.use(work);
  }

  send(fill: PacketWork = leaveAsIs): this {
    assert(this.#isOwned, "a port that sends has its packet");
    this.#moveCount++;
    try {
      this.#port.send(fill);
    } catch (error) {
      this.#giveUp(error);
    }
    this.#isOwned = false;
    return this;
  }

  recv(use: PacketWork = leaveAsIs, options?: WaitOptions): this {
    this.#beginRecv();
    try {
      this.#port.recv(use, options);
    } catch (error) {
      this.#giveUp(error);
    }
    this.#isOwned = true;
    return this;
  }

  async recvAsync(use: PacketWork = leaveAsIs, options?: WaitOptions): Promise<this> {
    this.#beginRecv();
    try {
      await this.#port.recvAsync(use, options);
    } catch (error) {
      this.#giveUp(error);
    }
    this.#isOwned = true;
    return this;
  }

  query(): Either<this, this> {
    this.#beginRecv();
    try {
      this.#isOwned = this.#port.tryRecv(leaveAsIs) !== undefined;
    } catch (error) {
      this.#giveUp(error);
    }
    return either(this.#isOwned, this);
  }

  close(): void {
    this.#moveCount++;
    this.#port.close();
  }

  /** For `move`: the same port under a new name. */
  renamed(): this {
    this.#moveCount++;
    return this;
  }

  /**
   * Read where `using` begins, called where its block ends: closes the port unless an operation in
   * between consumed the name. One object serves all names, so the name must be remembered here.
   */
  get [Symbol.dispose](): () => void {
    const moveCount = this.#moveCount;
    return () => {
      if (this.#moveCount === moveCount) this.close();
    };
  }

  #beginRecv(): void {
    assert(!this.#isOwned, "a port that receives has sent its packet");
    this.#moveCount++;
  }

  #giveUp(cause: unknown): never {
    this.#onFailure(this.#port, cause);
    throw cause;
  }
}

/** A typed port over an open port of the core, whose packet is on this side, without checks. */
export function trustingPort(port: BarePort, onFailure: GiveUp): PartialPort<true> {
  return new TrustingPort(port, onFailure) as unknown as PartialPort<true>;
}
