import { CallError } from "../../call/call_error.ts";
import type { Channel } from "../channel.ts";
import { Headers } from "../../memory/header.ts";
import { ChannelState } from "../layout.ts";
import { Mailboxes } from "../mailbox.ts";
import { PacketViews } from "../../memory/packet_views.ts";
import { Status } from "../../memory/status.ts";
import { InboxWaiter, type PortWaiter, type WaiterName } from "../../wait/wait.ts";

/**
 * The client left in the middle of a call: it closed its port, or its worker is gone. Ends the
 * handler; nobody is there to be told.
 */
export class CallAbandoned extends Error {
  override readonly name = "CallAbandoned";
}

/** What the ports of one server share. Internal; users have `Server`. */
export class ServerGround {
  readonly channel: Channel;
  readonly ownerId: number;
  readonly mailboxes: Mailboxes;
  readonly headers: Headers;
  readonly views: PacketViews;
  readonly #waiter: PortWaiter;
  /** Made once, so that a wait allocates nothing; what it checks is set before each wait. */
  readonly #guard = () => this.#checkWait(this.#waitIndex);
  #waitIndex = 0;

  constructor(channel: Channel, waiter: WaiterName | PortWaiter) {
    const { layout, words } = channel;
    this.channel = channel;
    this.ownerId = channel.takeOwnerId();
    this.mailboxes = new Mailboxes(words, { layout, side: "server", ownerId: this.ownerId });
    this.headers = new Headers(words.plain, layout);
    this.views = new PacketViews(words.plain, layout);
    this.#waiter = typeof waiter === "string"
      ? new InboxWaiter(words, this.mailboxes, waiter)
      : waiter;
  }

  /** Gives the buffer to the client, and wakes it if it sleeps. Bounded. */
  giveAway(index: number): void {
    this.mailboxes.toggle(index);
    this.mailboxes.wakePeer(index);
  }

  /**
   * Waits in the middle of a call until the server owns the buffer. Blocks.
   *
   * @throws {CallAbandoned} when the client left
   * @throws {CallError} when the channel stopped
   */
  awaitBuffer(index: number): void {
    if (!this.mailboxes.owns(index)) {
      this.#waitIndex = index;
      this.#waiter.wait(index, this.mailboxes.foreignInbox(index), this.#guard);
    }
    if (!this.headers.continues(index)) throw new CallAbandoned(ABANDONED);
  }

  /** As {@linkcode awaitBuffer}, without blocking the event loop. */
  async awaitBufferAsync(index: number): Promise<void> {
    if (!this.mailboxes.owns(index)) {
      const guard = () => this.#checkWait(index);
      await this.#waiter.waitAsync(index, this.mailboxes.foreignInbox(index), guard);
    }
    if (!this.headers.continues(index)) throw new CallAbandoned(ABANDONED);
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

  #checkWait(index: number): void {
    const isClientThere = this.mailboxes.peerHolds(index);
    if (this.mailboxes.owns(index)) return;
    if (!isClientThere) throw new CallAbandoned(ABANDONED);
    if (this.channel.state !== ChannelState.stopped) return;
    throw new CallError(Status.serverGone, { opcode: this.headers.opcode(index) });
  }
}

const ABANDONED = "The client left the call before its end";
