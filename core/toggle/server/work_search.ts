import { Doorbell } from "../../wait/doorbell.ts";
import { NO_PORT } from "../../wait/hint.ts";
import { doorbellPlace } from "../layout.ts";
import type { ServerSide } from "./server_side.ts";
import { type WorkFinder, workFinder } from "./work_finder.ts";

/**
 * How a server goes through its ports, in rotation, and sleeps when none has work. How it finds one is
 * the channel's choice: see `WorkFinder`. Internal; users have `Server`.
 *
 * Fair: a search begins behind the port that was claimed last, so a port with work is passed over
 * at most once for each other port (LLVM's scan from port 0 starves the high ports,
 * llvm/llvm-project#66680).
 */
export class WorkSearch {
  readonly #side: ServerSide;
  readonly #finder: WorkFinder;
  readonly #doorbell: Doorbell;
  readonly #portCount: number;
  #lastIndex = 0;
  #nextIndex = 0;

  constructor(side: ServerSide) {
    const { words, layout } = side.channel;
    this.#side = side;
    this.#finder = workFinder(side);
    this.#doorbell = new Doorbell(words, doorbellPlace(layout));
    this.#portCount = layout.portCount;
  }

  /** The port at which the next search begins. */
  get nextIndex(): number {
    return this.#nextIndex;
  }

  /**
   * Claims a port that has work, or returns {@linkcode NO_PORT}. Bounded.
   *
   * @param glances how often the port that was claimed last is looked at where no other has work: it is the
   * likeliest to have the next call. It costs the others a fraction of a microsecond
   */
  tryClaim(glances = 0): number {
    const index = this.#finder.tryClaim(this.#nextIndex, this.#lastIndex, glances);
    if (index === NO_PORT) return NO_PORT;
    this.#lastIndex = index;
    this.#nextIndex = index + 1 === this.#portCount ? 0 : index + 1;
    this.#finder.noteClaimed(index);
    return index;
  }

  /** Claims this port if it has work. Bounded. */
  tryClaimAt(index: number): boolean {
    return this.#side.looksReady(index) && this.#side.tryLockOwned(index);
  }

  /**
   * Sleeps until a client rings, unless there is work already. Blocks.
   *
   * @param seenState the channel's state word as the caller saw it; another one ends the sleep
   * @param milliseconds for how long at most
   */
  sleep(seenState: number, milliseconds = Infinity): void {
    const armed = this.#doorbell.arm();
    try {
      if (this.#canSleep(seenState)) this.#doorbell.sleep(armed, milliseconds);
    } finally {
      this.#doorbell.disarm();
    }
  }

  /** As {@linkcode sleep}, without blocking the event loop; returns whether it slept. */
  async sleepAsync(seenState: number, milliseconds = Infinity): Promise<boolean> {
    const armed = this.#doorbell.arm();
    try {
      const canSleep = this.#canSleep(seenState);
      if (canSleep) await this.#doorbell.sleepAsync(armed, milliseconds);
      return canSleep;
    } finally {
      this.#doorbell.disarm();
    }
  }

  /** The last look before a sleep. Call with the bell armed. */
  #canSleep(seenState: number): boolean {
    if (this.#finder.findLast() !== NO_PORT) return false;
    // Sync: pairs with Channel.stop() and raiseAttention(), which change the state and then ring: a
    // ring that came before we armed is not in what we sleep on, but its reason is seen here.
    return this.#side.channel.stateWord === seenState;
  }
}
