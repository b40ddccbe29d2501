import type { Deadline } from "../../wait/deadline.ts";
import { InboxWaiter, type WaitGuard } from "../../wait/inbox_waiter.ts";
import type { WaiterName } from "../../wait/strategy.ts";
import type { Words } from "../../memory/words.ts";
import type { ChannelLayout } from "../layout.ts";
import type { Mailboxes } from "../mailbox.ts";
import type { Side } from "../side.ts";

/** Further ahead of its peer than any count comes: who wrote it takes no more parts. */
const ENDED = 1 << 29;

/** Thrown by a guard in place of an error: the other side has ended its part of the stream. */
export const PARTS_OVER = new Error("The other side ended its part of the stream");

/** What may end one wait for a part or a place after the other, each with a limit of its own. */
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

  /** The next wait. Its time begins at its first check, which most waits do not come to. */
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

/** The guards of a sender, which waits for places, and of a receiver, which waits for parts. */
export interface PartGuards {
  readonly sending: PartGuard;
  readonly receiving: PartGuard;
}

/** How many parts a stream has, and how many may be under way at once. */
export interface PartsPlan {
  readonly count: number;
  /** 2 or more: the packet is divided into as many places, used in turn. */
  readonly window: number;
}

/**
 * The parts of packets that are under way while a stream is sent: for each port one count a side, which
 * that side alone writes. The sender counts what it has filled, the receiver what it has taken. Between
 * the two lies what the receiver may read; the rest of the packet is the sender's, who owns all of it as
 * far as the mailboxes tell.
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
   * For a sender, before the first packet of a stream: makes the counts differ, whatever offers that were
   * not taken have left there, of either side. Bounded.
   */
  offer(index: number): void {
    this.#words.store(this.#ownWord + index, this.#words.load(this.#peerWord + index) + 1 | 0);
  }

  /** For a receiver that takes parts, before it gives the packet back: makes them equal. Bounded. */
  accept(index: number): void {
    // Sync: before the flip, behind which the sender looks: it would find an old count otherwise, and
    // go on packet by packet while the receiver waits for parts.
    this.#words.store(this.#ownWord + index, this.#words.load(this.#peerWord + index));
  }

  /** For a sender that has the packet again: whether the receiver takes parts. Bounded. */
  isAccepted(index: number): boolean {
    return this.#words.load(this.#ownWord + index) === this.#words.load(this.#peerWord + index);
  }

  /**
   * Has every part filled, each when its place is free. Returns early when the receiver takes no more.
   * Blocks.
   *
   * @throws what the guard throws, but for {@linkcode PARTS_OVER}
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
   * Has every part taken, each when it is filled. Blocks.
   *
   * @returns whether all parts came: not when the sender gave the packet away before
   * @throws what the guard throws, but for {@linkcode PARTS_OVER}
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

  /** The other side's count once it is not `seen`, or when there is no more to wait for. */
  #awaitPeer(index: number, seen: number, guard: PartGuard): number {
    try {
      this.#waiter.wait(index, seen, guard.renew());
    } catch (error) {
      if (error !== PARTS_OVER) throw error;
    }
    return this.#words.load(this.#peerWord + index);
  }

  #step(index: number, next: number): void {
    // Sync: behind the writes, or reads, of the part; pairs with the other side's load in the waiter.
    // Before them, the other side would read what is not there yet, or write over what is still read.
    this.#words.store(this.#ownWord + index, next);
    this.#mailboxes.wakePeer(index);
  }

  /** Says that no more parts are taken, so that no sender waits for that. Bounded. */
  end(index: number): void {
    // Sync: before the wake; pairs with the look of a sender that waits for a place, before its sleep.
    this.#words.store(this.#ownWord + index, this.#words.load(this.#peerWord + index) + ENDED | 0);
    this.#mailboxes.wakePeer(index);
  }
}
