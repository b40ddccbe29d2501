import { assert } from "./assert.ts";
import { CallError } from "./call_error.ts";
import type { Doorbell } from "./doorbell.ts";
import type { Hints } from "./hint.ts";
import type { LaneMask } from "./lane_mask.ts";
import { ChannelState } from "./layout.ts";
import { type Holder, type PacketWork, Port, type PortGround, PortState } from "./port.ts";
import { Status } from "./status.ts";
import { readFaultMessage } from "./fault_message.ts";
import { deadlineGuard, type WaitOptions } from "./wait.ts";

/** What all ports of one client share. */
export interface ClientGround {
  readonly ports: PortGround;
  readonly hints: Hints;
  readonly doorbell: Doorbell;
}

/** How to begin a call. */
export interface CallHead {
  readonly opcode: number;
  readonly mask: LaneMask;
}

/**
 * A port that a client opened. Starts with `send`; after that any order of sends and receives that
 * the server's handler mirrors. Methods return the same object under its new type, so that a chain
 * `port.send(...).recv(...)` compiles only in an order that the protocol has.
 *
 * | operation | bounded? | blocks? | can it say no? |
 * | --- | --- | --- | --- |
 * | `send` | yes, after `open` or `recv` | after a `send`: until the server took it | no |
 * | `recv` | no | until the server gives the buffer back | no |
 * | `tryRecv`, `query` | yes | no | yes |
 * | `close` | yes | no | no |
 *
 * Waiting operations throw a {@linkcode CallError} when the server refused the call, failed or
 * went away, and a `DOMException` at their deadline. A callback that throws leaves the port where
 * it was.
 */
export class ClientPort<H extends Holder = Holder> extends Port {
  declare readonly holder: H;
  readonly #client: ClientGround;
  /** Made once, so that a wait allocates nothing. */
  readonly #guard = () => this.#checkWait();
  #checkDeadline: (() => void) | undefined;
  #opcode = 0;
  #gaveAway = false;

  /** For {@linkcode Client}, which holds the lock of the port that it arms. */
  constructor(client: ClientGround) {
    super(client.ports);
    this.#client = client;
  }

  /** Starts a call on a port whose lock was just taken; for {@linkcode Client}. */
  arm(index: number, call: CallHead): void {
    this.armAt(index, call.mask.lo, call.mask.hi);
    this.ground.headers.begin(index, call);
    this.#opcode = call.opcode;
    this.#gaveAway = false;
  }

  /** Fills the packet and gives it to the server. */
  send(fill: PacketWork, options?: WaitOptions): ClientPort<"theirs"> {
    this.assertOpen();
    if (this.state === PortState.theirs) this.#awaitBuffer(options);
    this.work(fill);
    this.#giveAway();
    return this as unknown as ClientPort<"theirs">;
  }

  /** Waits until the server gives the packet back, and uses it. */
  recv(
    this: ClientPort<"mine" | "theirs">,
    use: PacketWork,
    options?: WaitOptions,
  ): ClientPort<"mine"> {
    this.#beginRecv();
    this.#awaitBuffer(options);
    this.work(use);
    return this as unknown as ClientPort<"mine">;
  }

  /** As {@linkcode recv}, without blocking the event loop. */
  async recvAsync(
    this: ClientPort<"mine" | "theirs">,
    use: PacketWork,
    options?: WaitOptions,
  ): Promise<ClientPort<"mine">> {
    this.#beginRecv();
    const { mailboxes, waiter } = this.ground;
    const { index } = this;
    this.#limitWait(options);
    if (!mailboxes.owns(index)) {
      await waiter.waitAsync(index, mailboxes.foreignInbox(index), this.#guard);
    }
    this.#takeBuffer();
    this.work(use);
    return this as unknown as ClientPort<"mine">;
  }

  /** Uses the packet if the server gave it back already; one bounded look. */
  tryRecv(this: ClientPort<"theirs">, use: PacketWork): ClientPort<"mine"> | undefined {
    if (!this.query()) return undefined;
    this.#takeBuffer();
    this.work(use);
    return this as unknown as ClientPort<"mine">;
  }

  /** Whether the server gave the packet back: one bounded look, nothing changes. */
  query(this: ClientPort<"theirs">): boolean {
    this.assertOpen();
    assert(this.state === PortState.theirs, "the packet was sent");
    return this.ground.mailboxes.owns(this.index);
  }

  /** `send`, then `recv`. */
  sendAndRecv(fill: PacketWork, use: PacketWork, options?: WaitOptions): ClientPort<"mine"> {
    return this.send(fill, options).recv(use, options);
  }

  /**
   * Returns the port. After a `send` the call goes on without the client: an asynchronous call,
   * whose port is free again when the server has served it.
   */
  close(): void {
    assert(this.state !== PortState.closed, "the port is open");
    assert(this.state !== PortState.busy, "the port is not inside one of its own callbacks");
    this.state = PortState.closed;
    this.ground.mailboxes.unlock(this.index);
  }

  /** Closes the port unless that was done; for `using`. */
  [Symbol.dispose](): void {
    if (this.isOpen) this.close();
  }

  #beginRecv(): void {
    this.assertOpen();
    assert(this.state !== PortState.fresh, "a client starts with send");
    if (this.state === PortState.mine) this.#giveAway();
  }

  #giveAway(): void {
    const { index } = this;
    const { mailboxes, headers } = this.ground;
    const continues = this.#gaveAway;
    if (continues) headers.markContinued(index);
    mailboxes.toggle(index);
    this.state = PortState.theirs;
    this.#gaveAway = true;
    if (this.#client.hints.mark(index)) this.#client.doorbell.ring();
    if (continues) mailboxes.wakePeer(index);
  }

  #awaitBuffer(options: WaitOptions | undefined): void {
    const { mailboxes, waiter } = this.ground;
    const { index } = this;
    this.#limitWait(options);
    if (!mailboxes.owns(index)) waiter.wait(index, mailboxes.foreignInbox(index), this.#guard);
    this.#takeBuffer();
  }

  #limitWait(options: WaitOptions | undefined): void {
    this.#checkDeadline = options && deadlineGuard(`receive on port ${this.index}`, options);
  }

  #takeBuffer(): void {
    const status = this.ground.headers.status(this.index);
    if (status !== Status.ok) this.#fail(status as Status);
    this.state = PortState.mine;
  }

  #fail(status: Status): never {
    this.state = PortState.failed;
    const opcode = this.#opcode;
    throw new CallError(status, { opcode, detail: readFaultMessage(this.packet, status) });
  }

  #checkWait(): void {
    this.#checkDeadline?.();
    const { channel, mailboxes } = this.ground;
    if (channel.state !== ChannelState.stopped || mailboxes.owns(this.index)) return;
    this.state = PortState.failed;
    throw new CallError(Status.serverGone, { opcode: this.#opcode });
  }
}
