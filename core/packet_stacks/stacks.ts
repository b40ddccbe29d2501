import type { PacketChannel } from "../one_packet/packet_channel.ts";
import type { StacksLayout } from "./layout.ts";
import { PacketStack } from "./packet_stack.ts";
import { TaggedLinks } from "./tagged_link.ts";

/** The stacks of a channel, and the way of a packet between them: free, taken, ready, taken, free. */
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

  /** A packet that is the caller's from here on. */
  tryTakeFree(): number | undefined {
    return this.#free.tryPop();
  }

  /** Gives a packet up that the caller has: bumps its tag, frees it, and wakes who waits for one. */
  free(index: number): void {
    const { words, layout, freeBell } = this.#channel;
    const tag = words.load(layout.tagWord + index) + 1;
    // Sync: before the push: the tag belongs to who has the packet, and the next one reads it.
    words.store(layout.tagWord + index, tag);
    this.#free.push(index, this.#links.link(index, tag));
    freeBell.ring();
  }

  /** Gives a filled packet to the servers, and wakes one that sleeps. */
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
