import { NO_PACKET, type ServerSteps } from "../../one_packet/packet_steps.ts";
import type { Channel } from "../channel.ts";
import { SlotBits } from "../slot_bits.ts";
import { HostState, hostState } from "../slot_state.ts";

/** The server's half of GWHT: the bits H and T. */
export class GwhtServerSteps implements ServerSteps {
  readonly #channel: Channel;
  readonly #gpu: SlotBits;
  readonly #host: SlotBits;
  readonly #thread: SlotBits;
  /** Where the next search begins: behind the slot that was served last. */
  #next = 0;

  constructor(channel: Channel) {
    const { words, layout } = channel;
    this.#channel = channel;
    this.#gpu = new SlotBits(words, layout.gpuWord);
    this.#host = new SlotBits(words, layout.hostWord);
    this.#thread = new SlotBits(words, layout.threadWord);
  }

  /** One look at each slot, up to the first with work. Clears H of those that ended on the way. */
  tryTake(): number {
    const { packetCount } = this.#channel.layout;
    for (let count = 0; count < packetCount; count++) {
      const index = (this.#next + count) % packetCount;
      if (!this.#tryTakeAt(index)) continue;
      this.#next = (index + 1) % packetCount;
      return index;
    }
    return NO_PACKET;
  }

  #tryTakeAt(index: number): boolean {
    const glance = this.#state(index);
    if (glance !== HostState.work && glance !== HostState.ended) return false;
    if (!this.#thread.trySet(index)) return false;
    // Sync: looked at again, with T: another server may have served the call meanwhile.
    const state = this.#state(index);
    if (state === HostState.work) return true;
    if (state === HostState.ended) this.#end(index);
    else this.#thread.tryClear(index);
    return false;
  }

  #state(index: number): HostState {
    // Sync: pairs with the client's G: seeing it makes the page visible.
    const gpu = this.#gpu.has(index);
    return hostState(gpu, this.#host.has(index));
  }

  answer(index: number): void {
    // Sync: publishes the answer. Pairs with the client's look at H. T is cleared after it, or another
    // server would find work here still; the rings come after both.
    this.#host.trySet(index);
    this.#thread.tryClear(index);
    this.#channel.answerBell.ring();
    // A call whose client has left can be ended now by one that waits for a slot.
    this.#channel.freeBell.ring();
  }

  #end(index: number): void {
    // Sync: pairs with the client's look at H: with both clear, W may be cleared. With T, so that of
    // two servers the second does not clear the H of the next call.
    this.#host.tryClear(index);
    this.#thread.tryClear(index);
    this.#channel.freeBell.ring();
  }
}
