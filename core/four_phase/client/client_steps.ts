import type { PacketChannel } from "../../one_packet/packet_channel.ts";
import { type ClientSteps, NO_PACKET } from "../../one_packet/packet_steps.ts";
import { InboxWaiter, type WaitGuard } from "../../wait/inbox_waiter.ts";
import type { WaiterName } from "../../wait/strategy.ts";
import type { FourPhaseLayout } from "../layout.ts";
import { ClientState, clientState } from "../mailbox_state.ts";
import { PortLocks } from "../port_lock.ts";

/** The client's half of the four-phase protocol. */
export class FourPhaseClientSteps implements ClientSteps {
  readonly #channel: PacketChannel<FourPhaseLayout>;
  readonly #locks: PortLocks;
  readonly #waiter: InboxWaiter;
  /** Where the next search begins: a port that was free a moment ago. */
  #home = 0;

  constructor(channel: PacketChannel<FourPhaseLayout>, waiter: WaiterName) {
    const { words, layout } = channel;
    this.#channel = channel;
    this.#locks = new PortLocks(words, layout.clientLockWord);
    const boxes = { inboxWord: layout.serverOutboxWord, parkedWord: layout.parkedWord };
    this.#waiter = new InboxWaiter(words, boxes, waiter);
  }

  /** One look at each port. Collects the garbage of asynchronous calls on the way. */
  tryClaim(): number {
    const { packetCount } = this.#channel.layout;
    for (let count = 0; count < packetCount; count++) {
      const index = (this.#home + count) % packetCount;
      if (this.#tryClaimAt(index)) return this.#home = index;
    }
    return NO_PACKET;
  }

  #tryClaimAt(index: number): boolean {
    const glance = this.#state(index);
    if (glance !== ClientState.idle && glance !== ClientState.result) return false;
    if (!this.#locks.tryLock(index)) return false;
    // Sync: looked at again, under the lock: between the glance and the lock another client may have
    // posted here, and its packet would be written over.
    const state = this.#state(index);
    if (state === ClientState.idle) return true;
    if (state === ClientState.result) this.#retract(index);
    this.#unlock(index);
    return false;
  }

  #state(index: number): ClientState {
    const { words, layout } = this.#channel;
    // Sync: pairs with the server's store: seeing its answer makes its packet writes visible.
    const inbox = words.load(layout.serverOutboxWord + index);
    return clientState(inbox, words.load(layout.clientOutboxWord + index));
  }

  post(index: number): void {
    const { words, layout, workBell } = this.#channel;
    // Sync: publishes header and packet. Pairs with the inbox load in FourPhaseServerSteps: written
    // after it, the server could read an older call's packet. The ring comes after it, or the server
    // could wake, find nothing and sleep.
    words.store(layout.clientOutboxWord + index, 1);
    workBell.ring();
  }

  isAnswered(index: number): boolean {
    return this.#state(index) === ClientState.result;
  }

  awaitAnswer(index: number, guard: WaitGuard): void {
    this.#waiter.wait(index, 0, guard);
  }

  awaitAnswerAsync(index: number, guard: WaitGuard): Promise<void> {
    return this.#waiter.waitAsync(index, 0, guard);
  }

  /** Unlocks at "finished with result": nobody waits for the server to clean up. */
  release(index: number): void {
    this.#retract(index);
    this.#unlock(index);
  }

  /** Says that the result is no longer needed: the server has garbage to clean up. */
  #retract(index: number): void {
    const { words, layout, workBell } = this.#channel;
    // Sync: comes after the last read of the packet. Pairs with the server's load: a port that is
    // cleaned up before we have read the result is posted to by another client meanwhile.
    words.store(layout.clientOutboxWord + index, 0);
    workBell.ring();
  }

  drop(index: number): void {
    this.#unlock(index);
  }

  /** The port stays posted; who looks for a port later finds its result, and collects it. */
  leave(index: number): void {
    this.#unlock(index);
  }

  #unlock(index: number): void {
    this.#locks.unlock(index);
    // Sync: after the unlock: a client that found the lock taken sleeps, and nobody else would wake it.
    this.#channel.freeBell.ring();
  }
}
