import { CallError } from "../../call/call_error.ts";
import type { ClientSide } from "./client_side.ts";
import { NO_PORT } from "../../wait/hint.ts";
import { Status } from "../../memory/status.ts";
import { deadlineGuard, type WaitOptions } from "../../wait/deadline.ts";

/** Passes over all ports before a client sleeps for one. */
const PASSES = 64;
/** Mailboxes on one cache line. */
const PORTS_PER_LINE = 16;

/**
 * How a client gets a port. It looks first at the one that it used last, whose lines are in this
 * processor's cache, then at the others in turn. Internal; users have `Client`.
 */
export class PortClaim {
  readonly #side: ClientSide;
  readonly #portCount: number;
  #home: number;

  constructor(side: ClientSide) {
    const { portCount } = side.channel.layout;
    this.#side = side;
    this.#portCount = portCount;
    this.#home = homeOf(side.ownerId, portCount);
  }

  /**
   * Claims a free port in one pass, or returns {@linkcode NO_PORT}. Bounded.
   *
   * @throws {CallError} when the channel was shut down
   */
  tryClaim(opcode: number): number {
    this.#checkRunning(opcode);
    return this.#side.tryLockOwned(this.#home) ? this.#home : this.#tryClaimOther();
  }

  /**
   * Claims a port, waiting until one is free. Blocks.
   *
   * @throws {CallError} when the channel was shut down
   * @throws {DOMException} at the deadline
   */
  claim(opcode: number, options: WaitOptions | undefined): number {
    const index = this.tryClaim(opcode);
    return index === NO_PORT ? this.#claimWaiting(opcode, options ?? {}) : index;
  }

  #tryClaimOther(): number {
    let index = this.#home;
    for (let step = 1; step < this.#portCount; step++) {
      if (++index === this.#portCount) index = 0;
      if (!this.#side.looksReady(index) || !this.#side.tryLockOwned(index)) continue;
      this.#home = index;
      return index;
    }
    return NO_PORT;
  }

  #claimWaiting(opcode: number, options: WaitOptions): number {
    const checkDeadline = deadlineGuard("open a port", options);
    const guard = () => {
      checkDeadline();
      this.#checkRunning(opcode);
    };
    for (let pass = 0;; pass++) {
      const index = this.tryClaim(opcode);
      if (index !== NO_PORT) return index;
      guard();
      if (pass >= PASSES) this.#side.awaitFree(this.#home, guard);
    }
  }

  /** A glance, because it stands on the path of every call: a wait looks again, in order. */
  #checkRunning(opcode: number): void {
    if (this.#side.channel.looksRunning) return;
    throw new CallError(Status.serverGone, { opcode });
  }
}

/** Spreads the first choices of the clients over the cache lines of the mailboxes. */
function homeOf(clientId: number, portCount: number): number {
  const spread = (clientId - 1) * PORTS_PER_LINE;
  return (spread + Math.floor(spread / portCount)) % portCount;
}
