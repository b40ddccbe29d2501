import { assert } from "./assert.ts";
import { CallError } from "./call_error.ts";
import { writeFaultMessage } from "./fault_message.ts";
import { ChannelState } from "./layout.ts";
import { type Holder, type PacketWork, Port, type PortGround, PortState } from "./port.ts";
import { Status } from "./status.ts";

/**
 * The client left in the middle of a call: it closed its port, or its worker is gone. Ends the
 * handler; nobody is there to be told.
 */
export class CallAbandoned extends Error {
  override readonly name = "CallAbandoned";
}

/**
 * A port on which a server found a call. Starts with `recv`; after that it mirrors the client's
 * sends and receives in the same order. `send` and `recv` wait only when the client has the
 * buffer, that is after a `send`, and for a second `recv` in a row.
 *
 * A handler must not keep the port: it is closed, which hands the buffer back, when the handler
 * returns.
 */
export class ServerPort<H extends Holder = Holder> extends Port {
  declare readonly holder: H;
  /** Made once, so that a wait allocates nothing. */
  readonly #guard = () => this.#checkWait();
  #opcode = 0;

  /** For {@linkcode Server}, which holds the lock of the port that it arms. */
  constructor(ground: PortGround) {
    super(ground);
  }

  /** Starts serving a port whose lock was just taken; for {@linkcode Server}. */
  arm(index: number): void {
    const { headers } = this.ground;
    this.armAt(index, headers.maskLo(index), headers.maskHi(index));
    this.#opcode = headers.opcode(index);
  }

  /** What the client asked for. */
  get opcode(): number {
    return this.#opcode;
  }

  /** Whether the client's lane mask is one of this channel; for {@linkcode Server}, which refuses others. */
  get isMaskGood(): boolean {
    return this.packet.isMaskGood;
  }

  /** Uses the packet that the client sent. */
  recv(use: PacketWork): ServerPort<"mine"> {
    this.assertOpen();
    if (this.state === PortState.mine) this.#giveAway();
    if (this.state === PortState.theirs) this.#awaitBuffer();
    this.state = PortState.mine;
    this.work(use);
    return this as unknown as ServerPort<"mine">;
  }

  /** Fills the packet and gives it back to the client. */
  send(this: ServerPort<"mine" | "theirs">, fill: PacketWork): ServerPort<"theirs"> {
    this.assertOpen();
    assert(this.state !== PortState.fresh, "a server starts with recv");
    if (this.state === PortState.theirs) this.#awaitBuffer();
    this.work(fill);
    this.#giveAway();
    return this as unknown as ServerPort<"theirs">;
  }

  /** Works on the packet in place and gives it back: `recv` and `send` in one. */
  recvAndSend(work: PacketWork): ServerPort<"theirs"> {
    return this.recv(work).send(leaveAsIs);
  }

  /** Returns the port, and the buffer with it if the server has it: else it would be served again. */
  close(): void {
    assert(this.state !== PortState.closed, "the port is open");
    assert(this.state !== PortState.busy, "the port is not inside one of its own callbacks");
    if (this.state === PortState.fresh || this.state === PortState.mine) this.#giveAway();
    this.state = PortState.closed;
    this.ground.mailboxes.unlock(this.index);
  }

  /** Closes the port unless that was done; for `using`. */
  [Symbol.dispose](): void {
    if (this.isOpen) this.close();
  }

  /**
   * Ends the call with bad news, if the server has the buffer; else the client learns of it when it
   * goes on with the call. For {@linkcode Server}.
   */
  refuse(status: Status, message?: string): void {
    if (this.state !== PortState.fresh && this.state !== PortState.mine) return;
    if (message !== undefined) writeFaultMessage(this.packet, message);
    this.ground.headers.setStatus(this.index, status);
  }

  #giveAway(): void {
    this.ground.mailboxes.toggle(this.index);
    this.state = PortState.theirs;
    this.ground.mailboxes.wakePeer(this.index);
  }

  #awaitBuffer(): void {
    const { mailboxes, waiter, headers } = this.ground;
    const { index } = this;
    if (!mailboxes.owns(index)) waiter.wait(index, mailboxes.foreignInbox(index), this.#guard);
    if (!headers.continues(index)) this.#abandon();
    this.state = PortState.mine;
  }

  #checkWait(): void {
    const { channel, mailboxes } = this.ground;
    const isClientGone = !mailboxes.peerHolds(this.index);
    if (mailboxes.owns(this.index)) return;
    if (isClientGone) this.#abandon();
    if (channel.state !== ChannelState.stopped) return;
    this.state = PortState.failed;
    throw new CallError(Status.serverGone, { opcode: this.#opcode });
  }

  #abandon(): never {
    this.state = PortState.failed;
    throw new CallAbandoned(`The client left a call of opcode ${this.#opcode} before its end`);
  }
}

function leaveAsIs(): void {}
