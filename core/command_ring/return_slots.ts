import { writeErrorText } from "../call/error_text.ts";
import { Packet } from "../memory/packet.ts";
import type { Status } from "../memory/status.ts";
import type { PacketChannel } from "../one_packet/packet_channel.ts";
import type { AnswerSteps } from "../one_packet/packet_steps.ts";
import { InboxWaiter, type WaitGuard } from "../wait/inbox_waiter.ts";
import type { WaiterName } from "../wait/strategy.ts";
import type { RingLayout } from "./layout.ts";

/** Stands for "no slot": no one wants the result. */
export const NO_SLOT = -1;

export const SlotState = {
  free: 0,
  /** A client waits for its result. */
  pending: 1,
  /** The result or an error is there; the client frees the slot. */
  done: 2,
  /** The client no longer waits; the host frees the slot. */
  left: 3,
} as const;

/** The end of a call: its result, or the reason why there is none. */
export interface Outcome {
  readonly status: Status;
  /** Modulo 2 to the 64. */
  readonly result: bigint;
  /** The error's message. */
  readonly text?: string;
}

/**
 * The return slots of a ring. Each has a state beside its result, so that 0 is a result like any other.
 * Bounded, except for the waits.
 */
export class ReturnSlots implements AnswerSteps {
  readonly #channel: PacketChannel<RingLayout>;
  readonly #waiter: InboxWaiter;
  /** One for each slot, made at first use, so that a call allocates none. */
  readonly #packets: Packet[] = [];
  /** Where the next search begins. */
  #next = 0;
  /** The result in the packet of a slot that was answered. A field, so that a call allocates no closure. */
  readonly resultOf = ({ index }: { readonly index: number }): bigint => {
    const { words: { plain }, layout } = this.#channel;
    const word = layout.packetsWord + index * layout.packetWords;
    return BigInt(plain[word + 1]! >>> 0) << 32n | BigInt(plain[word]! >>> 0);
  };

  /** @throws {TypeError} when the waiter's name is unknown */
  constructor(channel: PacketChannel<RingLayout>, waiter: WaiterName) {
    const { words, layout } = channel;
    this.#channel = channel;
    const boxes = { inboxWord: layout.slotStateWord, parkedWord: layout.parkedWord };
    this.#waiter = new InboxWaiter(words, boxes, waiter);
  }

  /** Takes a free slot; `undefined` when it finds none. Looks once at each. */
  tryAcquire(): number | undefined {
    const { words, layout: { slotCount, slotStateWord } } = this.#channel;
    for (let count = 0; count < slotCount; count++) {
      const slot = (this.#next + count) % slotCount;
      // Sync: pairs with release(): the last client has read its result. With a load and a store, two
      // clients could take the slot.
      const held = words.compareExchange(slotStateWord + slot, SlotState.free, SlotState.pending);
      if (held !== SlotState.free) continue;
      this.#next = slot;
      return slot;
    }
    return undefined;
  }

  /** Frees a slot that the caller holds, and wakes those that wait for one. */
  release(slot: number): void {
    // Sync: after the last read of the result, as the next call's result is written there.
    this.#channel.words.store(this.#stateWord(slot), SlotState.free);
    this.#channel.freeBell.ring();
  }

  isAnswered(slot: number): boolean {
    // Sync: pairs with answer(): seeing it makes the result visible.
    return this.#channel.words.load(this.#stateWord(slot)) !== SlotState.pending;
  }

  awaitAnswer(slot: number, guard: WaitGuard): void {
    this.#waiter.wait(slot, SlotState.pending, guard);
  }

  awaitAnswerAsync(slot: number, guard: WaitGuard): Promise<void> {
    return this.#waiter.waitAsync(slot, SlotState.pending, guard);
  }

  /** Gives up a slot whose result no one will read. The last one, client or host, frees it. */
  leave(slot: number): void {
    // Sync: pairs with answer()'s exchange: the two agree which was last.
    const word = this.#stateWord(slot);
    const held = this.#channel.words.compareExchange(word, SlotState.pending, SlotState.left);
    if (held !== SlotState.pending) this.release(slot);
  }

  /** The packet of a slot: its result, or the message of an error. */
  packet(slot: number): Packet {
    const known = this.#packets[slot];
    if (known) return known;
    const packet = new Packet(this.#channel.views);
    packet.aim(slot, 1, 0);
    return this.#packets[slot] = packet;
  }

  /**
   * Puts the outcome of a call in its slot. The slot comes from the client.
   *
   * @returns whether it is one that waits for a result
   */
  answer(slot: number, { status, result, text }: Outcome): boolean {
    const { words, layout, headers } = this.#channel;
    if (!(slot >= 0 && slot < layout.slotCount)) return false;
    const held = words.load(this.#stateWord(slot));
    if (held !== SlotState.pending && held !== SlotState.left) return false;
    const word = layout.packetsWord + slot * layout.packetWords;
    words.plain[word] = Number(BigInt.asIntN(32, result));
    words.plain[word + 1] = Number(BigInt.asIntN(32, result >> 32n));
    headers.setStatus(slot, status);
    if (text !== undefined) writeErrorText(this.packet(slot), text);
    this.#end(slot);
    return true;
  }

  #end(slot: number): void {
    // Sync: publishes the result. Pairs with the client's load, which could otherwise read the result of an
    // older call, and with leave(). The wake comes last.
    const held = this.#channel.words.exchange(this.#stateWord(slot), SlotState.done);
    if (held === SlotState.left) this.release(slot);
    else this.#channel.wake(slot);
  }

  #stateWord(slot: number): number {
    return this.#channel.layout.slotStateWord + slot;
  }
}
