import { assert } from "../../memory/assert.ts";
import { bitCount, portBits } from "../../memory/regions.ts";
import { mayBlock } from "../../memory/words.ts";
import { refuseToBlock } from "../../wait/async_only_waiter.ts";
import type { Deadline } from "../../wait/deadline.ts";
import { NO_PORT } from "../../wait/hint.ts";
import { Guard } from "../../wait/inbox_waiter.ts";
import { CLAIM_PASSES } from "../../wait/tuning.ts";
import { WaitingLine } from "../../wait/waiting_line.ts";
import type { ClientSide } from "./client_side.ts";

const STEPS = { "last-used": 0, first: undefined, hashed: undefined, rotating: 1 } as const;
/** What cannot be done, for messages. */
export const OPEN = "open a port";
/** Mailboxes on one cache line. */
const PORTS_PER_LINE = 16;

/**
 * How a client gets a port. It looks first where the channel's design has it, then at the others in
 * turn. `last-used` is the default: the lines of that port are in this processor's cache. Internal;
 * users have `Client`.
 */
export class PortClaim {
  readonly #side: ClientSide;
  readonly #portCount: number;
  /** From the port that was claimed to the next start; absent where every search starts alike. */
  readonly #step: 0 | 1 | undefined;
  readonly #line = new WaitingLine();
  #home: number;

  /**
   * Claims a port, waiting until one is free. Blocks. A function over constants: see `clientCall`.
   *
   * @throws {CallError} as {@linkcode tryClaim}, and when no port can become free
   * @throws {DOMException} at the deadline
   */
  readonly claim: (opcode: number, deadline: Deadline | undefined) => number;

  constructor(side: ClientSide) {
    const { channel } = side;
    const { portCount, start } = channel.layout;
    this.#side = side;
    this.#portCount = portCount;
    this.#step = STEPS[start];
    this.#home = start === "first" ? 0 : homeOf(side.ownerId, portCount);
    this.claim = (opcode, deadline) => {
      const home = this.#home;
      const isClaimed = channel.stateGlance === side.beginState && side.tryLockOwned(home);
      return isClaimed ? this.#claimed(home) : this.#claimOther(opcode, deadline);
    };
  }

  /**
   * Claims a free port in one pass, or returns {@linkcode NO_PORT}. Bounded.
   *
   * @throws {CallError} when the channel was shut down, or this client was asked to leave
   */
  tryClaim(opcode: number): number {
    this.#side.checkClaim(opcode);
    const home = this.#home;
    return this.#side.tryLockOwned(home) ? this.#claimed(home) : this.#tryClaimReady();
  }

  #claimOther(opcode: number, deadline: Deadline | undefined): number {
    this.#side.checkClaim(opcode);
    const index = this.#tryClaimReady();
    return index === NO_PORT ? this.#claimWaiting(opcode, deadline) : index;
  }

  /** As {@linkcode tryClaim}, unless others of this client wait for a port: {@linkcode claimAsync} is fair. */
  tryClaimInTurn(opcode: number): number {
    if (this.#line.isEmpty) return this.tryClaim(opcode);
    this.#side.checkClaim(opcode);
    return NO_PORT;
  }

  /** As {@linkcode claim}, without blocking the event loop: first come, first served. */
  async claimAsync(opcode: number, deadline: Deadline | undefined): Promise<number> {
    let index = this.tryClaimInTurn(opcode);
    if (index !== NO_PORT) return index;
    const guard = this.#guard(opcode, deadline);
    await this.#line.join(deadline, OPEN);
    try {
      for (;;) {
        guard.check();
        index = this.#tryClaimReady();
        if (index !== NO_PORT) return index;
        await this.#side.awaitFreeAsync(guard);
      }
    } finally {
      this.#line.leave();
    }
  }

  /**
   * Claims a port that looks free, from the start of this search on. Ports that do not are left
   * alone: locking one for a moment would wake whoever sleeps until it is unlocked.
   */
  #tryClaimReady(): number {
    let index = this.#home;
    for (let step = 0; step < this.#portCount; step++) {
      if (this.#side.looksReady(index) && this.#side.tryLockOwned(index)) {
        return this.#claimed(index);
      }
      if (++index === this.#portCount) index = 0;
    }
    return NO_PORT;
  }

  /**
   * Claims ports that look free among the 32 of which this one is, at most so many. Bounded.
   *
   * @returns a bit for each
   */
  tryClaimBeside(index: number, countMax: number): number {
    const place = index >> 5;
    const others = portBits(place, this.#portCount) & ~(1 << (index & 31));
    let wanted = this.#side.mailboxes.looksOwnedBits(place, others);
    for (let over = bitCount(wanted) - countMax; over > 0; over--) {
      wanted &= ~(1 << 31 - Math.clz32(wanted));
    }
    return wanted === 0 ? 0 : this.#side.tryLockOwnedBits(place, wanted);
  }

  /** Moves the start of the next search, where it moves. */
  #claimed(index: number): number {
    if (this.#step === undefined) return index;
    const next = index + this.#step;
    this.#home = next === this.#portCount ? 0 : next;
    return index;
  }

  #claimWaiting(opcode: number, deadline: Deadline | undefined): number {
    if (!mayBlock()) refuseToBlock();
    const guard = this.#guard(opcode, deadline);
    for (let pass = 0;; pass++) {
      guard.check();
      const index = this.#tryClaimReady();
      if (index !== NO_PORT) return index;
      if (pass < CLAIM_PASSES) continue;
      if ((deadline?.timeoutSeconds ?? Infinity) === Infinity) this.#checkNotAllOwn();
      this.#side.awaitFree(guard);
    }
  }

  /** While this thread sleeps it returns no port: without a deadline it would sleep for good. */
  #checkNotAllOwn(): void {
    for (let index = 0; index < this.#portCount; index++) {
      if (!this.#side.locks.holds(index)) return;
    }
    assert(false, "a client that blocks for a port does not hold all of them itself");
  }

  #guard(opcode: number, deadline: Deadline | undefined): Guard {
    return new Guard(() => {
      this.#side.checkTime(deadline, OPEN);
      this.#side.checkClaim(opcode);
      this.#side.checkAnyPort(opcode);
    }, deadline);
  }
}

/** Spreads the first choices of the clients over the cache lines of the mailboxes. */
function homeOf(clientId: number, portCount: number): number {
  const spread = (clientId - 1) * PORTS_PER_LINE;
  return (spread + Math.floor(spread / portCount)) % portCount;
}
