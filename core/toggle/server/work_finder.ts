import { lowestPort, placesWordCount, PORT_PLACES } from "../../memory/regions.ts";
import { Hints, NO_PORT } from "../../wait/hint.ts";
import { TIDY_SEARCHES } from "../../wait/tuning.ts";
import type { ServerSide } from "./server_side.ts";

const TIDY = TIDY_SEARCHES; // see tuning.ts
/** Searches between two full scans: how long a lost hint can delay a call. */
const FULL_SCAN_SEARCHES = 1 << 14;

/** How a server finds a port with work among those of a channel: one of `discovery`. */
export abstract class WorkFinder {
  protected readonly side: ServerSide;
  protected readonly portCount: number;

  constructor(side: ServerSide) {
    this.side = side;
    this.portCount = side.channel.layout.portCount;
  }

  /**
   * Claims the first port at or after `start`, in cyclic order, that has work, or the one that is `last`
   * while it is glanced at so many times. {@linkcode NO_PORT} when there was none, or another server was
   * quicker. Bounded.
   */
  tryClaim(start: number, last: number, glances: number): number {
    const { steps } = this.side;
    if (steps.find !== undefined) return this.side.noteFound(steps.find(start, last, glances));
    const index = this.find(start);
    if (index !== NO_PORT && this.side.tryLockOwned(index)) return index;
    for (let glance = 0; glance < glances; glance++) {
      if (this.side.looksReady(last)) return this.side.tryLockOwned(last) ? last : NO_PORT;
    }
    return NO_PORT;
  }

  /**
   * The first port at or after `start`, in cyclic order, that looks as if it had work and nobody held
   * it; {@linkcode NO_PORT} after one pass without any. Bounded.
   */
  abstract find(start: number): number;
  /** A port was claimed. */
  noteClaimed(_index: number): void {}
  /**
   * A port with work that no server holds, by ordered looks at all: the last look before a sleep. Of a
   * port that another holds the drop rings. Bounded.
   */
  abstract findLast(): number;
}

/** The finder of the channel's design. */
export function workFinder(side: ServerSide): WorkFinder {
  return new FINDERS[side.channel.layout.discovery](side);
}

/** By the hints of clients, with a full scan now and then. */
class HintFinder extends WorkFinder {
  readonly #hints: Hints;
  /** Hint bits of the ports claimed since the last tidying. */
  readonly #active: Uint32Array;
  #searchCount = 0;

  constructor(side: ServerSide) {
    super(side);
    const { words, layout } = side.channel;
    this.#hints = new Hints(words, layout);
    this.#active = new Uint32Array(layout.hintWordCount);
  }

  override tryClaim(start: number, last: number, glances: number): number {
    if (++this.#searchCount % TIDY === 0) this.#tidy();
    return super.tryClaim(start, last, glances);
  }

  override find(start: number): number {
    return this.#hints.find(start, this.side);
  }

  override noteClaimed(index: number): void {
    this.#hints.noteActive(this.#active, index);
  }

  override findLast(): number {
    this.#hints.clearAll();
    return scanPorts(this.side, (index) => void this.#hints.mark(index));
  }

  #tidy(): void {
    this.#hints.clearIdle(this.#active, this.side.mailboxes);
    this.#active.fill(0);
    if (this.#searchCount % FULL_SCAN_SEARCHES === 0) this.#markAll();
  }

  /** Looks at every mailbox and marks what has work, also behind what another server does there now. */
  #markAll(): void {
    for (let index = 0; index < this.side.channel.layout.portCount; index++) {
      if (this.side.mailboxes.owns(index) && !this.side.locks.holds(index)) this.#hints.mark(index);
    }
  }
}

/** One mailbox after the other. */
class ScanFinder extends WorkFinder {
  override find(start: number): number {
    let index = start;
    for (let step = 0; step < this.portCount; step++) {
      if (this.side.looksReady(index)) return index;
      if (++index === this.portCount) index = 0;
    }
    return NO_PORT;
  }

  override findLast(): number {
    return scanPorts(this.side, () => {});
  }
}

/** The mailboxes of 32 ports at once. Bits behind the last port stand for nothing: clients may write them. */
class BitmapFinder extends WorkFinder {
  readonly #wordCount: number;

  constructor(side: ServerSide) {
    super(side);
    this.#wordCount = placesWordCount(PORT_PLACES.bit, side.channel.layout.portCount);
  }

  override find(start: number): number {
    const first = start >> 5;
    const upper = -1 << (start & 31);
    for (let step = 0; step <= this.#wordCount; step++) {
      const place = first + step < this.#wordCount ? first + step : first + step - this.#wordCount;
      let bits = this.side.mailboxes.looksOwnedBits(place, -1);
      if (step === 0) bits &= upper;
      for (; bits !== 0; bits &= bits - 1) {
        const index = lowestPort(place, bits);
        if (index >= this.portCount) break;
        if (this.side.looksReady(index)) return index;
      }
    }
    return NO_PORT;
  }

  override findLast(): number {
    for (let place = 0; place < this.#wordCount; place++) {
      for (let bits = this.side.mailboxes.ownedBits(place, -1); bits !== 0; bits &= bits - 1) {
        const index = lowestPort(place, bits);
        if (index >= this.portCount) break;
        if (!this.side.isTaken(index)) return index;
      }
    }
    return NO_PORT;
  }
}

/** Calls `found` for each port with work that no server holds; returns the last of them. */
function scanPorts(side: ServerSide, found: (index: number) => void): number {
  let last = NO_PORT;
  for (let index = 0; index < side.channel.layout.portCount; index++) {
    // A port of this server's own asynchronous handlers is no work: when a handler ends, it rings for
    // a next call that came before (see AsyncCalls), and one that comes later rings itself.
    // A port that another holds is none either: it rings when it drops the port. Its hint stays clear, so
    // that its client, and those of its neighbours, ring for what comes next.
    if (!side.mailboxes.owns(index) || side.isTaken(index)) continue;
    found(index);
    last = index;
  }
  return last;
}

const FINDERS = { hint: HintFinder, scan: ScanFinder, bitmap: BitmapFinder } as const;
