import { CallError } from "../../call/call_error.ts";
import { hasErrorText, readErrorText } from "../../call/error_text.ts";
import { assert } from "../../memory/assert.ts";
import { Packet } from "../../memory/packet.ts";
import { Status } from "../../memory/status.ts";
import { CallGuard } from "../../one_packet/call_guard.ts";
import { Deadline, type WaitOptions } from "../../wait/deadline.ts";
import type { InboxWaiter } from "../../wait/inbox_waiter.ts";
import type { PacketChannel } from "../../one_packet/packet_channel.ts";
import type { RingLayout } from "../layout.ts";
import { type ReturnSlots, SlotState } from "../return_slots.ts";

/** What a pending result needs of its client. */
export interface ResultPlace {
  readonly channel: PacketChannel<RingLayout>;
  readonly slots: ReturnSlots;
  readonly waiter: InboxWaiter;
}

/**
 * A command that was sent and whose result was not taken. Ends once, by its result or by
 * {@linkcode leave}; using it afterwards is a broken invariant.
 *
 * | operation | bounded? | blocks? | can it say no? |
 * | --- | --- | --- | --- |
 * | `tryTake` | yes | no | yes |
 * | `take` | no | until the result | no |
 * | `leave` | yes | no | no |
 */
export class PendingResult {
  readonly #place: ResultPlace;
  readonly #slot: number;
  readonly #id: number;
  #isOpen = true;
  /** An asynchronous wait for the result is under way. */
  #isAwaited = false;

  /** @internal By `Client`. */
  constructor(place: ResultPlace, call: { readonly slot: number; readonly id: number }) {
    this.#place = place;
    this.#slot = call.slot;
    this.#id = call.id;
  }

  /**
   * The result, or `undefined` while there is none. Bounded.
   *
   * @throws {CallError} when the host refused or failed, or is gone: the call is over
   */
  tryTake(): bigint | undefined {
    this.#checkOpen();
    return this.#place.slots.state(this.#slot) === SlotState.pending ? undefined : this.#take();
  }

  /**
   * Waits for the result. Blocks. At the deadline the call is left.
   *
   * @throws {CallError} as {@linkcode tryTake}
   * @throws {DOMException} named `TimeoutError` at the deadline; and the reason of an aborted signal
   */
  take(options?: WaitOptions): bigint {
    this.#checkOpen();
    const guard = this.#guard(options);
    try {
      this.#place.waiter.wait(this.#slot, SlotState.pending, guard);
    } catch (error) {
      this.leave();
      throw error;
    }
    return this.#take();
  }

  /** As {@linkcode take}, without blocking the event loop. */
  async takeAsync(options?: WaitOptions): Promise<bigint> {
    this.#checkOpen();
    const guard = this.#guard(options);
    this.#isAwaited = true;
    try {
      await this.#place.waiter.waitAsync(this.#slot, SlotState.pending, guard);
      this.#isAwaited = false;
    } catch (error) {
      this.#isAwaited = false;
      this.leave();
      throw error;
    }
    return this.#take();
  }

  /**
   * Gives the result up. Bounded; nothing when the call is over. A wait that is under way is ended by its
   * signal: until then this is refused, as the slot would be another call's.
   */
  leave(): void {
    if (!this.#isOpen) return;
    this.#checkOpen();
    this.#isOpen = false;
    this.#place.slots.leave(this.#slot);
  }

  /** Two waits would free the slot twice, and the second another call's. */
  #checkOpen(): void {
    assert(this.#isOpen, "the call is under way");
    assert(!this.#isAwaited, "no other wait of the call is under way");
  }

  #guard(options: WaitOptions | undefined): CallGuard {
    const deadline = Deadline.of(options);
    return new CallGuard(this.#place.channel, { opcode: this.#id, deadline });
  }

  #take(): bigint {
    const { slots, channel } = this.#place;
    this.#isOpen = false;
    const isGone = slots.state(this.#slot) === SlotState.gone;
    const status = isGone ? Status.serverGone : channel.headers.status(this.#slot) as Status;
    const error = status === Status.ok ? undefined : this.#errorOf(status);
    const result = slots.result(this.#slot);
    slots.free(this.#slot);
    if (error) throw error;
    return result;
  }

  #errorOf(status: Status): CallError {
    const packet = new Packet(this.#place.channel.views);
    packet.aim(this.#slot, 1, 0);
    const detail = hasErrorText(status) ? readErrorText(packet) : "";
    return new CallError(status, { opcode: this.#id, detail });
  }
}
