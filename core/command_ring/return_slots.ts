import { writeErrorText } from "../call/error_text.ts";
import { Packet } from "../memory/packet.ts";
import type { Status } from "../memory/status.ts";
import type { PacketChannel } from "../one_packet/packet_channel.ts";
import type { RingLayout } from "./layout.ts";

/** In place of a slot: nobody wants the result. */
export const NO_SLOT = -1;

/** Whose a return slot is. */
export const SlotState = {
  free: 0,
  /** A client waits for its result. */
  pending: 1,
  /** The result, or an error, is there: the client's, which frees the slot. */
  done: 2,
  /** The client waits no more: the host frees the slot. */
  left: 3,
  /** The host is gone: no result will come. */
  gone: 4,
} as const;

/** How a call ended: its result, or why there is none. */
export interface Outcome {
  readonly status: Status;
  /** Modulo 2 to the 64. */
  readonly result: bigint;
  /** What went wrong. */
  readonly text?: string;
}

/**
 * The return slots of a ring: any number of them, each a state beside its result, so that 0 is a
 * result like others. Bounded.
 */
export class ReturnSlots {
  readonly #channel: PacketChannel<RingLayout>;
  /** Where the next search begins. */
  #next = 0;

  constructor(channel: PacketChannel<RingLayout>) {
    this.#channel = channel;
  }

  /** Takes a free slot; `undefined` after one look at each. */
  tryAcquire(): number | undefined {
    const { words, layout: { slotCount, slotStateWord } } = this.#channel;
    for (let count = 0; count < slotCount; count++) {
      const slot = (this.#next + count) % slotCount;
      // Sync: pairs with free(): the taker sees that the last client has read its result. With a load
      // and a store, two clients could take the slot.
      const held = words.compareExchange(slotStateWord + slot, SlotState.free, SlotState.pending);
      if (held !== SlotState.free) continue;
      this.#next = slot;
      return slot;
    }
    return undefined;
  }

  /** Frees a slot that the caller has, and wakes who waits for one. */
  free(slot: number): void {
    // Sync: after the last read of the result: the next call's host writes there.
    this.#channel.words.store(this.#stateWord(slot), SlotState.free);
    this.#channel.freeBell.ring();
  }

  /** What {@linkcode SlotState} the slot is in. */
  state(slot: number): number {
    // Sync: pairs with answer(): seeing it makes the result visible.
    return this.#channel.words.load(this.#stateWord(slot));
  }

  /** Gives a slot up whose result nobody will read: whoever comes last frees it. */
  leave(slot: number): void {
    // Sync: pairs with answer()'s exchange, so that the two agree who was last.
    const word = this.#stateWord(slot);
    const held = this.#channel.words.compareExchange(word, SlotState.pending, SlotState.left);
    if (held !== SlotState.pending) this.free(slot);
  }

  /** Puts the outcome of a call in its slot. The slot comes from the client: returns whether it is one. */
  answer(slot: number, { status, result, text }: Outcome): boolean {
    const { words, layout, headers, views } = this.#channel;
    if (!(slot >= 0 && slot < layout.slotCount)) return false;
    const held = this.state(slot);
    if (held !== SlotState.pending && held !== SlotState.left) return false;
    const word = layout.packetsWord + slot * layout.packetWords;
    words.plain[word] = Number(BigInt.asIntN(32, result));
    words.plain[word + 1] = Number(BigInt.asIntN(32, result >> 32n));
    headers.setStatus(slot, status);
    if (text !== undefined) writeErrorText(this.#packet(views, slot), text);
    this.#end(slot);
    return true;
  }

  #packet(views: ConstructorParameters<typeof Packet>[0], slot: number): Packet {
    const packet = new Packet(views);
    packet.aim(slot, 1, 0);
    return packet;
  }

  #end(slot: number): void {
    // Sync: publishes the result. Pairs with the client's load, which could else read an older call's;
    // and with leave(). The wake comes after it.
    const held = this.#channel.words.exchange(this.#stateWord(slot), SlotState.done);
    if (held === SlotState.left) this.free(slot);
    else this.#channel.wake(slot);
  }

  /** The result of a slot that is done. */
  result(slot: number): bigint {
    const { words: { plain }, layout } = this.#channel;
    const word = layout.packetsWord + slot * layout.packetWords;
    return BigInt(plain[word + 1]! >>> 0) << 32n | BigInt(plain[word]! >>> 0);
  }

  /** Ends every call that is under way: the host is gone. */
  failAll(): void {
    const { words, layout: { slotCount } } = this.#channel;
    for (let slot = 0; slot < slotCount; slot++) {
      // Sync: pairs with the client's load. An exchange could take a result away that is there.
      words.compareExchange(this.#stateWord(slot), SlotState.pending, SlotState.gone);
      this.#channel.wake(slot);
    }
  }

  #stateWord(slot: number): number {
    return this.#channel.layout.slotStateWord + slot;
  }
}
