import type { PacketWork } from "../../memory/packet.ts";
import { type BarePort, CLOSED_PORT, type PortOwner } from "./bare_port.ts";
import { PortOperations } from "./port_operations.ts";

/**
 * The typed port of a client or server whose checks are off. One object lives through all states
 * of an opened port and trusts that nobody uses an old name of it: only an operation that does not
 * fit the present state is noticed.
 */
export class TrustingPort extends PortOperations {
  override readonly index: number;
  protected override readonly owner: PortOwner;
  /** That of the core, but while an operation that consumes runs, and after the last one. */
  #port: BarePort;
  /**
   * Counts the operations on the port: even while its packet is on this side, odd while it is not. An
   * operation that leaves the packet where it is counts two, so that the number is another one for each
   * name that the port had.
   */
  #step = 0;

  /** @param port open, with the packet on this side */
  constructor(port: BarePort, owner: PortOwner) {
    super();
    this.index = port.index;
    this.#port = port;
    this.owner = owner;
  }

  override get outbox(): number {
    return this.#port.outbox;
  }

  protected override get isOwned(): boolean {
    return (this.#step & 1) === 0;
  }

  protected override peek(): BarePort {
    return this.#port;
  }

  protected override consume(): void {
    this.#port = CLOSED_PORT;
  }

  protected override next(port: BarePort, isOwned: boolean): this {
    this.#port = port;
    this.#step += this.isOwned === isOwned ? 2 : 1;
    return this;
  }

  protected override release(): void {
    this.#port = CLOSED_PORT;
    this.#step += 2;
  }

  protected override isReleased(): boolean {
    return this.#port === CLOSED_PORT;
  }

  protected override lent(work: PacketWork): PacketWork {
    return work;
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
}
