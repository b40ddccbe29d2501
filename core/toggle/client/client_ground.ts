import { CallError } from "../../call/call_error.ts";
import type { Channel } from "../channel.ts";
import { Doorbell } from "../../wait/doorbell.ts";
import { readFaultMessage } from "../../call/fault_message.ts";
import { Headers } from "../../memory/header.ts";
import { Hints } from "../../wait/hint.ts";
import type { LaneMask } from "../../memory/lane_mask.ts";
import { ChannelState } from "../layout.ts";
import { Mailboxes } from "../mailbox.ts";
import type { Packet } from "../../memory/packet.ts";
import { PacketViews } from "../../memory/packet_views.ts";
import { Status } from "../../memory/status.ts";
import {
  deadlineGuard,
  InboxWaiter,
  type PortWaiter,
  type WaiterName,
  type WaitOptions,
} from "../../wait/wait.ts";

/**
 * What the ports and calls of one client share: its view of the channel, and the three steps that
 * every call is made of. Internal; users have {@linkcode Client}.
 */
export class ClientGround {
  readonly channel: Channel;
  readonly ownerId: number;
  readonly mailboxes: Mailboxes;
  readonly headers: Headers;
  readonly views: PacketViews;
  readonly waiter: PortWaiter;
  readonly #hints: Hints;
  readonly #doorbell: Doorbell;
  /** Made once, so that a wait allocates nothing; what it checks is set before each wait. */
  readonly #guard = () => this.#checkWait();
  #waitIndex = 0;
  #waitOpcode = 0;
  #checkDeadline: (() => void) | undefined;

  constructor(channel: Channel, waiter: WaiterName | PortWaiter) {
    const { layout, words } = channel;
    this.channel = channel;
    this.ownerId = channel.takeOwnerId();
    this.mailboxes = new Mailboxes(words, { layout, side: "client", ownerId: this.ownerId });
    this.headers = new Headers(words.plain, layout);
    this.views = new PacketViews(words.plain, layout);
    this.waiter = typeof waiter === "string"
      ? new InboxWaiter(words, this.mailboxes, waiter)
      : waiter;
    this.#hints = new Hints(words, layout);
    this.#doorbell = new Doorbell(words, layout);
  }

  /** Starts a call on a port whose lock was just taken. Bounded. */
  begin(index: number, opcode: number, mask: LaneMask, packet: Packet): void {
    this.headers.begin(index, opcode, mask);
    packet.aim(index, mask.lo, mask.hi);
  }

  /** Gives the buffer to the server and sees to it that one will look. Bounded. */
  giveAway(index: number): void {
    this.mailboxes.toggle(index);
    if (this.#hints.mark(index)) this.#doorbell.ring();
  }

  /** Gives the buffer to the server in the middle of a call. Bounded. */
  giveAwayAgain(index: number): void {
    this.headers.markContinued(index);
    this.giveAway(index);
    this.mailboxes.wakePeer(index);
  }

  /**
   * Waits until the client owns the buffer. Blocks.
   *
   * @throws {CallError} of status `serverGone` when the channel stops
   * @throws {DOMException} at the deadline
   */
  awaitBuffer(index: number, opcode: number, options: WaitOptions | undefined): void {
    this.#limitWait(index, opcode, options);
    if (this.mailboxes.owns(index)) return;
    this.waiter.wait(index, this.mailboxes.foreignInbox(index), this.#guard);
  }

  /** As {@linkcode awaitBuffer}, without blocking the event loop. */
  async awaitBufferAsync(index: number, opcode: number, options: WaitOptions = {}): Promise<void> {
    if (this.mailboxes.owns(index)) return;
    const checkDeadline = deadlineGuard(`receive on port ${index}`, options);
    const guard = () => {
      checkDeadline();
      this.#checkChannel(index, opcode);
    };
    await this.waiter.waitAsync(index, this.mailboxes.foreignInbox(index), guard);
  }

  /** @throws {CallError} when the server wrote bad news into the header; the buffer is owned */
  checkStatus(index: number, opcode: number, packet: Packet): void {
    const status = this.headers.status(index);
    if (status === Status.ok) return;
    const detail = readFaultMessage(packet, status as Status);
    throw new CallError(status as Status, { opcode, detail });
  }

  #limitWait(index: number, opcode: number, options: WaitOptions | undefined): void {
    this.#waitIndex = index;
    this.#waitOpcode = opcode;
    this.#checkDeadline = options && deadlineGuard(`receive on port ${index}`, options);
  }

  #checkWait(): void {
    this.#checkDeadline?.();
    this.#checkChannel(this.#waitIndex, this.#waitOpcode);
  }

  #checkChannel(index: number, opcode: number): void {
    if (this.channel.state !== ChannelState.stopped || this.mailboxes.owns(index)) return;
    throw new CallError(Status.serverGone, { opcode });
  }
}
