import type { Words } from "../memory/words.ts";
import { NO_LINK, type TaggedLinks } from "./tagged_link.ts";

/**
 * A stack of packets (R. K. Treiber's), in a top word and a link for each packet, which the stacks of
 * a channel share: a packet is on one of them at a time. Bounded in steps of this thread, given that
 * no other thread takes the top in between; somebody always gets on.
 */
export class PacketStack {
  readonly #words: Words;
  readonly #topWord: number;
  readonly #nextWord: number;
  readonly #links: TaggedLinks;

  constructor(
    words: Words,
    place: { readonly topWord: number; readonly nextWord: number },
    links: TaggedLinks,
  ) {
    this.#words = words;
    this.#topWord = place.topWord;
    this.#nextWord = place.nextWord;
    this.#links = links;
  }

  /** Takes a packet off; `undefined` when there is none, or the top is no link. */
  tryPop(): number | undefined {
    // Sync: pairs with push(): seeing its link makes what it wrote to the packet visible.
    let top = this.#words.load(this.#topWord);
    for (;;) {
      const index = this.#links.indexOf(top);
      if (index === undefined) return undefined;
      // Sync: the packet below, as long as the top has not changed. If it was taken off, used and
      // put back meanwhile, another may lie below it now; then its tag is another, the exchange fails
      // and we look again. Without the tag it would put a packet on the stack that is in use (ABA).
      const below = this.#words.load(this.#nextWord + index);
      const seen = this.#words.compareExchange(this.#topWord, top, below);
      if (seen === top) return index;
      top = seen;
    }
  }

  /** Puts a packet on that the caller has. */
  push(index: number, link: number): void {
    let top = this.#words.load(this.#topWord);
    for (;;) {
      // Sync: the link below first, then the top: between them a popper would follow an old link.
      this.#words.store(this.#nextWord + index, top);
      const seen = this.#words.compareExchange(this.#topWord, top, link);
      if (seen === top) return;
      top = seen;
    }
  }

  /** Takes all packets off at once; returns them in the order in which they were put on. */
  takeAll(countMax: number): number[] {
    // Sync: pairs with push(). One exchange: with a load and a store, a packet that is pushed between
    // them is lost. No tag is needed, because it compares with nothing.
    let link = this.#words.exchange(this.#topWord, NO_LINK);
    const indexes: number[] = [];
    // The links come from the other side: they may lead round in a circle.
    while (indexes.length < countMax) {
      const index = this.#links.indexOf(link);
      if (index === undefined) break;
      indexes.push(index);
      link = this.#words.load(this.#nextWord + index);
    }
    return indexes.reverse();
  }

  /** Whether a packet seems to be there. */
  get hasAny(): boolean {
    return this.#words.load(this.#topWord) !== NO_LINK;
  }
}
