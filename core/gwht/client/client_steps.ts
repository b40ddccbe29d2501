import { type ClientSteps, NO_PACKET } from "../../one_packet/packet_steps.ts";
import { BellWaiter } from "../../wait/bell_waiter.ts";
import type { WaitGuard } from "../../wait/inbox_waiter.ts";
import type { WaiterName } from "../../wait/strategy.ts";
import type { Channel } from "../channel.ts";
import { SlotBits } from "../slot_bits.ts";
import { WaveState, waveState } from "../slot_state.ts";

/** The client's half of GWHT: the bits G and W. */
export class GwhtClientSteps implements ClientSteps {
  readonly #channel: Channel;
  readonly #gpu: SlotBits;
  readonly #wave: SlotBits;
  readonly #host: SlotBits;
  /** Slots whose client has left: whoever clears the bit ends what is left of the call. */
  readonly #left: SlotBits;
  readonly #answer: BellWaiter;

  constructor(channel: Channel, waiter: WaiterName) {
    const { words, layout } = channel;
    this.#channel = channel;
    this.#gpu = new SlotBits(words, layout.gpuWord);
    this.#wave = new SlotBits(words, layout.waveWord);
    this.#host = new SlotBits(words, layout.hostWord);
    this.#left = new SlotBits(words, layout.leftWord);
    this.#answer = new BellWaiter(channel.answerBell, waiter);
  }

  /** One look at each slot. Ends calls whose client has left on the way. */
  tryClaim(): number {
    const { packetCount } = this.#channel.layout;
    for (let index = 0; index < packetCount; index++) {
      if (this.#wave.has(index)) this.#collect(index);
      // Sync: W from 0 to 1: with it the slot is ours, G and H are clear. Another client that tries
      // too is told no, and tries another slot.
      if (!this.#wave.has(index) && this.#wave.trySet(index)) return index;
    }
    return NO_PACKET;
  }

  #state(index: number): WaveState {
    // Sync: pairs with the server's H: seeing it makes the answer visible.
    const host = this.#host.has(index);
    return waveState(this.#gpu.has(index), host);
  }

  /** Takes the next step of a call whose client has left, if there is one to take. */
  #collect(index: number): void {
    if (!this.#left.has(index) || !this.#isCollectable(this.#state(index))) return;
    // Sync: whoever clears the bit acts for the client that left. Looked at again under it: another
    // may have ended that call, and the slot be in the next one.
    if (!this.#left.tryClear(index)) return;
    const state = this.#state(index);
    if (state === WaveState.acquired) return this.#giveUp(index);
    if (state === WaveState.answered) this.#retract(index);
    this.leave(index);
  }

  #isCollectable(state: WaveState): boolean {
    return state === WaveState.acquired || state === WaveState.answered;
  }

  post(index: number): void {
    // Sync: publishes the page. Pairs with the server's look at G; the ring comes after it.
    this.#gpu.trySet(index);
    this.#channel.workBell.ring();
  }

  isAnswered(index: number): boolean {
    return this.#state(index) === WaveState.answered;
  }

  awaitAnswer(index: number, guard: WaitGuard): void {
    this.#answer.wait(() => this.isAnswered(index) || undefined, guard);
  }

  async awaitAnswerAsync(index: number, guard: WaitGuard): Promise<void> {
    await this.#answer.waitAsync(() => this.isAnswered(index) || undefined, guard);
  }

  /**
   * Clears G, and leaves: W may be cleared when H is, which the server clears some time later. Who
   * needs a slot then does that, instead of this client waiting for it.
   */
  release(index: number): void {
    this.#retract(index);
    this.leave(index);
  }

  /** G before W: cleared the other way round, a new call could begin while the server sees the old G. */
  #retract(index: number): void {
    // Sync: after the last read of the page. Pairs with the server's look at G.
    this.#gpu.tryClear(index);
    this.#channel.workBell.ring();
  }

  drop(index: number): void {
    this.#giveUp(index);
  }

  /** The slot goes on without its client. */
  leave(index: number): void {
    // Sync: after what this client did with the slot: whoever clears the bit goes on from there. The
    // ring comes after it: who saw the slot without the bit passed it by, and sleeps.
    this.#left.trySet(index);
    this.#channel.freeBell.ring();
  }

  #giveUp(index: number): void {
    // Sync: the last step, when G and H are clear: the next client finds all four bits clear.
    this.#wave.tryClear(index);
    this.#channel.freeBell.ring();
  }
}
