import { PEER_WAITS, PortLocks, WAITED } from "./port_locks.ts";

/** The bits of a lock word that hold the holder's id; the others are marks of those who want to be woken. */
const OWNER_MASK = PEER_WAITS - 1;

/**
 * `portLock: "owner"`: one word for each port, which contains the id of its holder. LLVM has one bit in a
 * bitmap instead; with an id, the ports of a worker that was terminated can be told from the others.
 */
export class OwnerLocks extends PortLocks {
  override tryLock(index: number): boolean {
    // Sync: pairs with unlock(): orders the last holder's toggle before our look at the mailboxes.
    // Without the exchange two workers of a side could both find the port free.
    return this.words.compareExchange(this.lockWord + index, 0, this.ownerId) === 0;
  }

  override unlock(index: number): void {
    // Sync: after the toggle, never before: a worker that locked in between would still find the
    // buffer owned and use it together with the other side.
    const held = this.words.exchange(this.lockWord + index, 0);
    if (held > OWNER_MASK) this.wakeAfterUnlock(index, held);
  }

  override looksLocked(index: number): boolean {
    return this.words.peek(this.lockWord + index) !== 0;
  }

  override holder(index: number): number {
    return lockOwner(this.words.load(this.lockWord + index));
  }

  override peerHolder(index: number): number {
    return lockOwner(this.words.load(this.peerLockWord + index));
  }

  /** A plain read, as nobody else writes this worker's id. */
  override holds(index: number): boolean {
    return lockOwner(this.words.peek(this.lockWord + index)) === this.ownerId;
  }

  override watch(index: number): boolean {
    return this.#mark(this.lockWord + index, WAITED);
  }

  override watchPeer(index: number): boolean {
    return this.#mark(this.peerLockWord + index, PEER_WAITS);
  }

  #mark(word: number, mark: number): boolean {
    for (let held = this.words.load(word); held !== 0; held = this.words.load(word)) {
      if (held & mark) return true;
      // Sync: pairs with the exchange in unlock(): the holder sees the mark and wakes, or the
      // compareExchange fails because the holder has gone. A plain mark could be written after the
      // unlock and lock the port for good.
      if (this.words.compareExchange(word, held, held | mark) === held) return true;
    }
    return false;
  }
}

/** The id in a lock word, 0 when it is free. */
export function lockOwner(lockWord: number): number {
  return lockWord & OWNER_MASK;
}
