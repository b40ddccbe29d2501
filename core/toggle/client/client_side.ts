import { CallError } from "../../call/call_error.ts";
import { readErrorText } from "../../call/error_text.ts";
import type { LaneMask } from "../../memory/lane_mask.ts";
import type { Packet } from "../../memory/packet.ts";
import { Status } from "../../memory/status.ts";
import { deadlineGuard, type WaitOptions } from "../../wait/deadline.ts";
import { Doorbell } from "../../wait/doorbell.ts";
import { Hints } from "../../wait/hint.ts";
import type { PortWaiter } from "../../wait/inbox_waiter.ts";
import type { WaiterName } from "../../wait/strategy.ts";
import type { Channel } from "../channel.ts";
import { ChannelState, doorbellPlace } from "../layout.ts";
import { PortSide } from "../port_side.ts";

/** A longest sleep for a port that another client holds; the caller looks around after it. */
const SLEEP_MILLISECONDS = 50;

/** One client's side of all ports, and the steps that its calls are made of. */
export class ClientSide extends PortSide {
  readonly #hints: Hints;
  readonly #doorbell: Doorbell;
  /** Made once, so that a wait allocates nothing; what it checks is set before each wait. */
  readonly #guard = () => this.#checkWait();
  #waitIndex = 0;
  #waitOpcode = 0;
  #checkDeadline: (() => void) | undefined;

  constructor(channel: Channel, waiter: WaiterName | PortWaiter) {
    super(channel, { side: "client", waiter });
    this.#hints = new Hints(channel.words, channel.layout);
    this.#doorbell = new Doorbell(channel.words, doorbellPlace(channel.layout));
  }

  /** Starts a call on a port whose lock was just taken. Bounded. */
  begin(index: number, opcode: number, mask: LaneMask): void {
    this.headers.begin(index, opcode, mask);
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
    this.#waitIndex = index;
    this.#waitOpcode = opcode;
    this.#checkDeadline = options && deadlineGuard(`receive on port ${index}`, options);
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

  /**
   * Waits until a port may be free. Locked, it is watched by its lock; unlocked, an asynchronous call
   * is still on it, which the server's flip will end. Blocks; the caller looks again.
   */
  awaitFree(index: number, guard: () => void): void {
    const { mailboxes } = this;
    if (!mailboxes.tryLock(index)) return mailboxes.sleepUntilUnlocked(index, SLEEP_MILLISECONDS);
    try {
      if (!mailboxes.owns(index)) this.waiter.wait(index, mailboxes.foreignInbox(index), guard);
    } finally {
      mailboxes.unlock(index);
    }
  }

  /** @throws {CallError} when the server wrote bad news into the header; the buffer is owned */
  checkStatus(index: number, opcode: number, packet: Packet): void {
    const status = this.headers.status(index);
    if (status === Status.ok) return;
    const detail = readErrorText(packet, status as Status);
    throw new CallError(status as Status, { opcode, detail });
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
