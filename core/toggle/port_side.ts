import { PacketViews } from "../memory/packet_views.ts";
import type { PortHeaders } from "../memory/port_headers.ts";
import { bitCount, lowestPort } from "../memory/regions.ts";
import { mayBlock } from "../memory/words.ts";
import { AsyncOnlyWaiter } from "../wait/async_only_waiter.ts";
import { InboxWaiter, type PortWaiter } from "../wait/inbox_waiter.ts";
import type { WaiterName } from "../wait/strategy.ts";
import type { Channel } from "./channel.ts";
import { ChannelState } from "./layout.ts";
import { headersOf } from "./wire/llvm_headers.ts";
import { mailboxesOf } from "./design/mailboxes_of.ts";
import type { PortLocks } from "./lock/port_locks.ts";
import type { Mailboxes } from "./mailbox.ts";
import { PortParts } from "./stream/port_parts.ts";
import type { Side } from "./side.ts";
import { NO_PORT } from "../wait/hint.ts";
import { Answered, FOREIGN_FOUND, type Steps } from "./steps/steps.ts";

/** A state word of channels that have stopped. */
const NEVER = -1;

/**
 * One client's or one server's side of all ports: who it is on the channel, and the steps that both
 * sides take alike. Internal; users have `Client` and `Server`.
 *
 * Its subclasses never meet in one worker on a hot path (a worker is either the client or the server
 * of a channel), so that the compiler sees one class at each call and inlines it.
 */
export abstract class PortSide {
  readonly channel: Channel;
  /** This client's or server's number on the channel: what its lock words hold. */
  readonly ownerId: number;
  readonly views: PacketViews;
  readonly mailboxes: Mailboxes;
  readonly locks: PortLocks;
  readonly headers: PortHeaders;
  protected readonly waiter: PortWaiter;
  /** The steps of a call. */
  readonly steps: Steps;
  /** How this side waits; absent where the user brought another way. */
  readonly waiterName: WaiterName | undefined;
  /** For streams with several parts under way; absent where this side may not block, or waits in a way of its own. */
  readonly parts: PortParts | undefined;
  /** The channel's state word when this side last looked whether it may go on. */
  #seenState: number;
  /** Whether somebody asked this side to leave. */
  #isAsked = false;
  #hasLeft = false;
  readonly #isClient: boolean;
  readonly #keepsPorts: boolean;
  /** @internal The state word as last seen while this side could begin something; else one that no running channel has. */
  beginState = NEVER;
  /** Counted here, as lock words can be written by everybody. */
  #heldCount = 0;

  protected constructor(
    channel: Channel,
    options: { readonly side: Side; readonly waiter: WaiterName | PortWaiter },
  ) {
    const { layout, words } = channel;
    const { side, waiter } = options;
    this.channel = channel;
    this.ownerId = channel.takeOwnerId();
    this.views = new PacketViews(words.plain, layout, channel.wasmMemory);
    this.mailboxes = mailboxesOf(words, { layout, side, ownerId: this.ownerId });
    this.locks = this.mailboxes.locks;
    this.headers = headersOf(words.plain, layout);
    this.waiter = this.waiterOf(waiter);
    this.waiterName = typeof waiter === "string" ? waiter : undefined;
    this.steps = channel.stepsOf(side, this.ownerId) ?? this.#stepsOfDesign();
    this.#isClient = side === "client";
    this.#keepsPorts = layout.portLock === "held";
    if (this.locks.join()) channel.announceLeaving();
    const { mailboxes } = this;
    this.parts = typeof waiter === "string" && mayBlock() && layout.wire === "portlab"
      ? new PortParts(words, { layout, side, mailboxes, waiter })
      : undefined;
    this.#seenState = channel.stateWord;
    if (channel.state === ChannelState.running) this.beginState = this.#seenState;
  }

  /** Whether a search may find the port free and owned: a stale look. Bounded. */
  looksReady(index: number): boolean {
    return this.mailboxes.looksOwned(index) && !this.locks.looksLocked(index);
  }

  /** Locks the port if it is free and this side owns its buffer. Bounded. */
  tryLockOwned(index: number): boolean {
    return this.noteFound(this.steps.claim(index)) !== NO_PORT;
  }

  /** Notes what a step claimed; returns the port, or {@linkcode NO_PORT}. */
  noteFound(found: number): number {
    if (found >= 0) this.#heldCount++;
    else if (found !== NO_PORT) this.locks.unlock(FOREIGN_FOUND - found);
    return Math.max(found, NO_PORT);
  }

  /** As {@linkcode tryLockOwned}, of several ports; returns those that it locked. Bounded. */
  tryLockOwnedBits(place: number, bits: number): number {
    const locked = this.locks.tryLockBits(place, bits);
    if (locked === 0) return 0;
    // As tryLockOwned().
    const owned = this.mailboxes.ownedBits(place, locked);
    this.#heldCount += bitCount(owned);
    if (owned !== locked) this.locks.unlockBits(place, locked & ~owned);
    return owned;
  }

  /** As {@linkcode unlock}, of several ports. Bounded. */
  unlockBits(place: number, bits: number): void {
    if (this.#keepsPorts) {
      for (let rest = bits; rest !== 0; rest &= rest - 1) this.unlock(lowestPort(place, rest));
      return;
    }
    this.#heldCount -= bitCount(bits);
    this.locks.unlockBits(place, bits);
    if (this.#isAsked) this.#leaveIfFree();
  }

  /** Returns the port to this side's workers. */
  unlock(index: number): void {
    this.noteReleased(index, this.steps.release(index));
  }

  /** A step has returned a port, and found marks of those who are to be woken. */
  noteReleased(index: number, marks: number): void {
    this.#heldCount--;
    if (marks !== 0) this.locks.wakeAfterUnlock(index, marks);
    if (this.#isAsked) this.#leaveIfFree();
  }

  /**
   * Whether nobody asked this side to leave the channel. Usually one plain read: the state word
   * changes with every request. Bounded.
   */
  mayStay(): boolean {
    if (this.channel.stateGlance !== this.#seenState) this.#lookAgain();
    return !this.#isAsked;
  }

  /** Whether this side may also begin something new: nobody asked it to leave, and the channel runs. */
  mayBegin(): boolean {
    return this.channel.stateGlance === this.beginState ||
      this.mayStay() && this.beginState !== NEVER;
  }

  /** Whether this side has left the channel on request, or was given up on. */
  get hasLeft(): boolean {
    return this.#hasLeft;
  }

  /** Called once, when this side has left on request: others have counted it out. */
  protected onLeft(): void {}

  /** The steps as the channel's design has them. */
  #stepsOfDesign(): Steps {
    const { mailboxes, locks } = this;
    const release = (index: number) => {
      if (!this.#keepsPorts || !this.#tryKeep(index)) locks.unlock(index);
      return 0;
    };
    return {
      claim: (index) => {
        if (!locks.tryLock(index)) return NO_PORT;
        // Between a look at the port and its lock another worker may have used it. Without this second
        // look two servers would work on one call, or one side on a packet that the other has.
        return mailboxes.owns(index) ? index : FOREIGN_FOUND - index;
      },
      release,
      call: (index) => {
        mailboxes.toggle(index);
        return Answered.unhinted;
      },
      handBack: (index) => {
        mailboxes.toggle(index);
        mailboxes.wakePeer(index);
        return release(index);
      },
    };
  }

  /**
   * Keeps a port whose call is over, if it may: the packet is the client's, who alone can look whether
   * more than one was sent. A server that waits for the rest of a longer call has to see that it ends.
   */
  #tryKeep(index: number): boolean {
    const isOver = this.#isClient
      ? this.mailboxes.owns(index) && !this.headers.continues(index)
      : !this.mailboxes.looksOwned(index);
    return isOver && !this.#isAsked && this.locks.keep(index);
  }

  /** How to wait in a way that has a name; another one as it is. */
  protected waiterOf(waiterName: WaiterName | PortWaiter): PortWaiter {
    if (typeof waiterName !== "string") return waiterName;
    const waiter = new InboxWaiter(this.channel.words, this.mailboxes, waiterName);
    return mayBlock() ? waiter : new AsyncOnlyWaiter(waiter);
  }

  #lookAgain(): void {
    const { channel } = this;
    this.#seenState = channel.stateWord;
    this.#isAsked ||= channel.leaveRequests.isAsked(this.ownerId);
    this.locks.lookAgain();
    const mayBegin = !this.#isAsked && channel.state === ChannelState.running;
    this.beginState = mayBegin ? this.#seenState : NEVER;
    if (this.#isAsked) this.#leaveIfFree();
  }

  /** Answers the request once this side holds no port; until then others must leave those alone. */
  #leaveIfFree(): void {
    this.locks.release();
    if (this.#hasLeft || this.#heldCount > 0) return;
    this.#hasLeft = true;
    this.onLeft();
    this.channel.leaveRequests.answer(this.ownerId);
  }
}
