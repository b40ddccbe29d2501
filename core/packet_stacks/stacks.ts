import type { Words } from "../memory/words.ts";
import type { PacketChannel } from "../one_packet/packet_channel.ts";
import type { StacksLayout } from "./layout.ts";

/** The link to no packet. */
export const NO_LINK = 0;

/**
 * Names a packet in one word: its index plus 1 in the low bits, so that 0 is no packet, and above it the
 * packet's tag, which counts how often it was freed. Two links to a packet differ if it was freed in
 * between, until the tag wraps. It has the remaining bits: 31 with one packet, 17 with 16384.
 */
export class TaggedLinks {
  readonly #packetCount: number;
  readonly #indexBits: number;

  /** @param packetCount 1 to 16384 */
  constructor(packetCount: number) {
    this.#packetCount = packetCount;
    this.#indexBits = 32 - Math.clz32(packetCount);
  }

  /** The link to a packet with this tag, whose higher bits are dropped. */
  link(index: number, tag: number): number {
    return tag << this.#indexBits | (index + 1);
  }

  /** The packet that a link names; `undefined` when it names none, or none of this channel. */
  indexOf(link: number): number | undefined {
    const place = link & (1 << this.#indexBits) - 1;
    return place === 0 || place > this.#packetCount ? undefined : place - 1;
  }
}

/**
 * A stack of packets (R. K. Treiber's), of a top word and a link for each packet. The stacks of a channel
 * share the links, because a packet is on one of them at a time. Lock-free: a thread repeats only when
 * another has changed the top.
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

  /** Takes a packet off; `undefined` when there is none, or the top is not a valid link. */
  tryPop(): number | undefined {
    // Sync: pairs with push(): seeing its link makes what it wrote to the packet visible.
    let top = this.#words.load(this.#topWord);
    for (;;) {
      const index = this.#links.indexOf(top);
      if (index === undefined) return undefined;
      // Sync: the packet below, as long as the top has not changed. If the top was taken off, used and put
      // back meanwhile, another packet may lie below it now. Its tag has changed then, so the exchange
      // fails and we look again. Without the tag we would put a packet in use on the stack (ABA).
      const below = this.#words.load(this.#nextWord + index);
      const seen = this.#words.compareExchange(this.#topWord, top, below);
      if (seen === top) return index;
      top = seen;
    }
  }

  /** Puts a packet on that the caller holds. */
  push(index: number, link: number): void {
    let top = this.#words.load(this.#topWord);
    for (;;) {
      // Sync: the link below first, then the top. In the other order a pop could follow an old link.
      this.#words.store(this.#nextWord + index, top);
      const seen = this.#words.compareExchange(this.#topWord, top, link);
      if (seen === top) return;
      top = seen;
    }
  }

  /** Takes all packets off at once; returns them in the order of their pushes. */
  takeAll(countMax: number): number[] {
    // Sync: pairs with push(). One exchange, because a packet pushed between a load and a store would be
    // lost. No tag is needed, because nothing is compared.
    let link = this.#words.exchange(this.#topWord, NO_LINK);
    const indexes: number[] = [];
    // The links come from the other side: they may form a circle.
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

/** The two stacks of a channel. A packet goes from free to taken, ready, taken, and back to free. */
export class Stacks {
  readonly #channel: PacketChannel<StacksLayout>;
  readonly #links: TaggedLinks;
  readonly #free: PacketStack;
  readonly #ready: PacketStack;

  constructor(channel: PacketChannel<StacksLayout>) {
    const { words, layout: { freeTopWord, readyTopWord, nextWord, packetCount } } = channel;
    this.#channel = channel;
    this.#links = new TaggedLinks(packetCount);
    this.#free = new PacketStack(words, { topWord: freeTopWord, nextWord }, this.#links);
    this.#ready = new PacketStack(words, { topWord: readyTopWord, nextWord }, this.#links);
  }

  /** Takes a free packet for the caller. */
  tryTakeFree(): number | undefined {
    return this.#free.tryPop();
  }

  /** Frees a packet that the caller holds, with a new tag, and wakes those that wait for one. */
  free(index: number): void {
    const { words, layout, freeBell } = this.#channel;
    const tag = words.load(layout.tagWord + index) + 1;
    // Sync: before the push. The tag belongs to the holder of the packet, and the next holder reads it.
    words.store(layout.tagWord + index, tag);
    this.#free.push(index, this.#links.link(index, tag));
    freeBell.ring();
  }

  /** Gives a filled packet to the servers, and wakes those that sleep. */
  pushReady(index: number): void {
    const { words, layout, workBell } = this.#channel;
    this.#ready.push(index, this.#links.link(index, words.load(layout.tagWord + index)));
    workBell.ring();
  }

  /** Every packet that is ready, oldest first. */
  takeReady(): number[] {
    return this.#ready.hasAny ? this.#ready.takeAll(this.#channel.layout.packetCount) : [];
  }
}
