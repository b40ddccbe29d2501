import { CallError } from "../../call/call_error.ts";
import type { Packet } from "../../memory/packet.ts";
import { Status } from "../../memory/status.ts";
import type { PortWaiter } from "../../wait/inbox_waiter.ts";
import type { WaiterName } from "../../wait/strategy.ts";
import type { Channel } from "../channel.ts";
import { ChannelState } from "../layout.ts";
import { PortSide } from "../port_side.ts";

/**
 * The client left in the middle of a call: it closed its port, or its worker is gone. Ends the
 * handler; nobody is there to be told.
 */
export class CallAbandonedError extends Error {
  override readonly name = "CallAbandonedError";
}

/** One server's side of all ports, and the steps that serving a call is made of. */
export class ServerSide extends PortSide {
  /** Made once, so that a wait allocates nothing; what it checks is set before each wait. */
  readonly #guard = () => this.#checkWait(this.#waitIndex);
  #waitIndex = 0;

  constructor(channel: Channel, waiter: WaiterName | PortWaiter) {
    super(channel, { side: "server", waiter });
  }

  /** The opcode of a call and its flags, as the client wrote them. */
  opcodeWord(index: number): number {
    return this.headers.opcodeWord(index);
  }

  /** The opcode of a call as the client wrote it: beyond `OPCODE_MAX` when the client is broken. */
  opcode(index: number): number {
    return this.headers.opcode(index);
  }

  /** Points a packet object at the packet of a call, with the lanes that its header names. */
  aim(packet: Packet, index: number): void {
    packet.aim(index, this.headers.maskLo(index), this.headers.maskHi(index));
  }

  /** Writes how the call went, for the client to find with the packet. */
  setStatus(index: number, status: Status): void {
    this.headers.setStatus(index, status);
  }

  /** Gives the buffer to the client, and wakes it if it sleeps. Bounded. */
  giveAway(index: number): void {
    this.mailboxes.toggle(index);
    this.mailboxes.wakePeer(index);
  }

  /**
   * Waits in the middle of a call until the server owns the buffer. Blocks.
   *
   * @throws {CallAbandonedError} when the client left
   * @throws {CallError} when the channel stopped
   */
  awaitBuffer(index: number): void {
    if (!this.mailboxes.owns(index)) {
      this.#waitIndex = index;
      this.waiter.wait(index, this.mailboxes.foreignInbox(index), this.#guard);
    }
    this.#checkContinues(index);
  }

  /** As {@linkcode awaitBuffer}, without blocking the event loop. */
  async awaitBufferAsync(index: number): Promise<void> {
    if (!this.mailboxes.owns(index)) {
      const guard = () => this.#checkWait(index);
      await this.waiter.waitAsync(index, this.mailboxes.foreignInbox(index), guard);
    }
    this.#checkContinues(index);
  }

  /**
   * Whether the server owns the buffer, in the middle of a call. Bounded.
   *
   * @throws as {@linkcode awaitBuffer}, rather than saying no for ever
   */
  hasBuffer(index: number): boolean {
    if (this.mailboxes.owns(index)) return true;
    this.#checkWait(index);
    return this.mailboxes.owns(index);
  }

  /** Whoever opens the port next writes a header without the mark: that packet is of another call. */
  #checkContinues(index: number): void {
    if (!this.headers.continues(index)) throw new CallAbandonedError(ABANDONED);
  }

  #checkWait(index: number): void {
    const isClientThere = this.mailboxes.peerHolds(index);
    if (this.mailboxes.owns(index)) return;
    if (!isClientThere) throw new CallAbandonedError(ABANDONED);
    if (this.channel.state !== ChannelState.stopped) return;
    throw new CallError(Status.serverGone, { opcode: this.headers.opcode(index) });
  }
}

const ABANDONED = "The client left the call before its end";
