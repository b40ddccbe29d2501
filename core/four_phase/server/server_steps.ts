import type { PacketChannel } from "../../one_packet/packet_channel.ts";
import { NO_PACKET, type ServerSteps } from "../../one_packet/packet_steps.ts";
import type { FourPhaseLayout } from "../layout.ts";
import { ServerState, serverState } from "../mailbox_state.ts";
import { PortLocks } from "../port_lock.ts";

/** The server's half of the four-phase protocol. */
export class FourPhaseServerSteps implements ServerSteps {
  readonly #channel: PacketChannel<FourPhaseLayout>;
  readonly #locks: PortLocks;
  /** Where the next search begins: behind the port that was served last, so that none is passed over. */
  #next = 0;

  constructor(channel: PacketChannel<FourPhaseLayout>) {
    this.#channel = channel;
    this.#locks = new PortLocks(channel.words, channel.layout.serverLockWord);
  }

  /** One look at each port, up to the first with work. Cleans garbage up on the way. */
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
    if (glance !== ServerState.work && glance !== ServerState.garbage) return false;
    if (!this.#locks.tryLock(index)) return false;
    // Sync: looked at again, under the lock: another server may have served the call meanwhile, and
    // it would be served twice.
    const state = this.#state(index);
    if (state === ServerState.work) return true;
    if (state === ServerState.garbage) this.#clean(index);
    else this.#locks.unlock(index);
    return false;
  }

  #state(index: number): ServerState {
    const { words, layout } = this.#channel;
    // Sync: pairs with the client's store: seeing its post makes header and packet visible.
    const inbox = words.load(layout.clientOutboxWord + index);
    return serverState(inbox, words.load(layout.serverOutboxWord + index));
  }

  answer(index: number): void {
    const { words, layout, freeBell } = this.#channel;
    // Sync: publishes the answer. Pairs with the client's inbox load: written after it, the client
    // could read its own request as the answer. Unlocked after it, or another server would find
    // work here still; the wakes come after it, or the woken would look too early.
    words.store(layout.serverOutboxWord + index, 1);
    this.#locks.unlock(index);
    this.#channel.wake(index);
    // An asynchronous call has left garbage now, which a client that waits for a port collects.
    freeBell.ring();
  }

  #clean(index: number): void {
    const { words, layout, freeBell } = this.#channel;
    // Sync: pairs with the client's inbox load: the port is idle, and our lock is dropped after it,
    // so that two servers do not clean up one after the other, the second in the next call.
    words.store(layout.serverOutboxWord + index, 0);
    this.#locks.unlock(index);
    freeBell.ring();
  }
}
