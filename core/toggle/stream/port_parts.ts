import type { Deadline } from "../../wait/deadline.ts";
import { InboxWaiter, type WaitGuard } from "../../wait/inbox_waiter.ts";
import type { WaiterName } from "../../wait/strategy.ts";
import type { Words } from "../../memory/words.ts";
import type { ChannelLayout } from "../layout.ts";
import type { Mailboxes } from "../mailbox.ts";
import type { Side } from "../side.ts";

/** Further ahead of the peer's count than any count gets: the side that wrote it has or takes no parts. */
const ENDED = 1 << 29;

/** Thrown by a guard, and not an error: the other side has ended its half of the stream. */
export const PARTS_OVER = new Error("The other side ended its part of the stream");

/** What may end the waits for parts or places, one after another, each with its own limit. */
export class PartGuard implements WaitGuard {
  readonly #newLimit: () => Deadline | undefined;
  readonly #check: (limit: Deadline | undefined) => void;
  #limit: Deadline | undefined;
  #hasBegun = false;

  constructor(
    newLimit: () => Deadline | undefined,
    check: (limit: Deadline | undefined) => void,
  ) {
    this.#newLimit = newLimit;
    this.#check = check;
  }

  /** Begins the next wait. Its time runs from its first check, which most waits never reach. */
  renew(): this {
    this.#hasBegun = false;
    return this;
  }

  get leftMilliseconds(): number {
    return this.#current()?.leftMilliseconds ?? Infinity;
  }

  check(): void {
    this.#check(this.#current());
  }

  #current(): Deadline | undefined {
    if (!this.#hasBegun) this.#limit = this.#newLimit();
    this.#hasBegun = true;
    return this.#limit;
  }
}

/** The guard of a sender, which waits for places, and that of a receiver, which waits for parts. */
export interface PartGuards {
  readonly sending: PartGuard;
  readonly receiving: PartGuard;
}

/** How many parts a stream has, and how many may be under way at once. */
export interface PartsPlan {
  readonly count: number;
  /** At least 2. The packet is divided into that many places, which are used in turn. */
  readonly window: number;
}

/**
 * The parts of a packet that are under way while a stream is sent. Each port has one count for each side,
 * which only that side writes: the sender counts the parts that it has filled, the receiver those that it
 * has taken. The receiver may read what lies between the two counts. The rest of the packet is the
 * sender's; by the mailboxes, all of it is.
 */
export class PortParts {
  readonly #words: Words;
  readonly #mailboxes: Mailboxes;
  readonly #ownWord: number;
  readonly #peerWord: number;
  readonly #waiter: InboxWaiter;

  constructor(
    words: Words,
    view: {
      readonly layout: ChannelLayout;
      readonly side: Side;
      readonly mailboxes: Mailboxes;
      readonly waiter: WaiterName;
    },
  ) {
    const { layout: { clientPartsWord, serverPartsWord }, side, mailboxes, waiter } = view;
    this.#words = words;
    this.#mailboxes = mailboxes;
    this.#ownWord = side === "client" ? clientPartsWord : serverPartsWord;
    this.#peerWord = side === "client" ? serverPartsWord : clientPartsWord;
    const { parkedWord } = mailboxes;
    this.#waiter = new InboxWaiter(words, { inboxWord: this.#peerWord, parkedWord }, waiter);
  }

  /**
   * For a sender, before the first packet of a stream: makes the counts differ, whatever earlier offers
   * have left there. Bounded.
   */
  offer(index: number): void {
    // Further than a window: a receiver whose sender left behind its offer may look at this port still,
    // and must not take the packet of the next one for parts, to which it would store.
    this.#words.store(this.#ownWord + index, this.#words.load(this.#peerWord + index) + ENDED | 0);
  }

  /** For a receiver that takes parts, before it gives the packet back: makes the counts equal. Bounded. */
  accept(index: number): void {
    // Sync: before the flip, after which the sender looks. Otherwise it could find an old count, and go on
    // packet by packet while the receiver waits for parts.
    this.#words.store(this.#ownWord + index, this.#words.load(this.#peerWord + index));
  }

  /** For a sender that has the packet back: whether the receiver takes parts. Bounded. */
  isAccepted(index: number): boolean {
    return this.#words.load(this.#ownWord + index) === this.#words.load(this.#peerWord + index);
  }

  /**
   * Fills every part, each as soon as its place is free. Returns early when the receiver takes no more.
   * Blocks.
   *
   * @throws what the guard throws, except {@linkcode PARTS_OVER}
   */
  produce(index: number, plan: PartsPlan, guard: PartGuard, fill: (part: number) => void): void {
    const { count, window } = plan;
    const begin = this.#words.load(this.#ownWord + index);
    let taken = 0;
    for (let part = 0; part < count; part++) {
      if (part - taken >= window) {
        const before = taken;
        taken = this.#awaitPeer(index, begin + taken | 0, guard) - begin | 0;
        if (taken <= before || taken > part) return;
      }
      fill(part);
      this.#step(index, begin + part + 1 | 0);
    }
  }

  /**
   * Takes every part, each as soon as it is filled. Blocks.
   *
   * @returns whether all parts came; false when the sender gave the packet away before
   * @throws what the guard throws, except {@linkcode PARTS_OVER}
   */
  drain(index: number, plan: PartsPlan, guard: PartGuard, take: (part: number) => void): boolean {
    const { count, window } = plan;
    const begin = this.#words.load(this.#ownWord + index);
    let filled = 0;
    let part = 0;
    try {
      for (; part < count; part++) {
        if (part >= filled) filled = this.#awaitPeer(index, begin + filled | 0, guard) - begin | 0;
        if (filled <= part || filled > part + window) break;
        take(part);
        this.#step(index, begin + part + 1 | 0);
      }
    } finally {
      if (part < count) this.end(index);
    }
    return part === count;
  }

  /** Waits until the other side's count is not `seen`, or nothing is left to wait for; returns the count. */
  #awaitPeer(index: number, seen: number, guard: PartGuard): number {
    try {
      this.#waiter.wait(index, seen, guard.renew());
    } catch (error) {
      if (error !== PARTS_OVER) throw error;
    }
    return this.#words.load(this.#peerWord + index);
  }

  #step(index: number, next: number): void {
    // Sync: after our writes, or reads, of the part; pairs with the other side's load in the waiter.
    // Before them, the other side could read what is not there yet, or overwrite what is still read.
    this.#words.store(this.#ownWord + index, next);
    this.#mailboxes.wakePeer(index);
  }

  /** Says that no more parts are taken, so that no sender waits for a place. Bounded. */
  end(index: number): void {
    // Sync: before the wake; pairs with a sender that waits for a place, which looks before it sleeps.
    this.#words.store(this.#ownWord + index, this.#words.load(this.#peerWord + index) + ENDED | 0);
    this.#mailboxes.wakePeer(index);
  }
}
