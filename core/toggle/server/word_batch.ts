import { lowestPort, portBits } from "../../memory/regions.ts";
import { NO_PORT } from "../../wait/hint.ts";
import { WATCH_GLANCES } from "../../wait/tuning.ts";
import { ControlWord } from "../layout.ts";
import type { ServerSide } from "./server_side.ts";

/**
 * The calls of up to 32 ports that are locked in one step, served one after the other, and answered by one
 * flip: what a server of `discovery: "bitmap"` does while it is the only one. Internal; users have `Server`.
 *
 * An answer goes out with those of the calls behind it, or before something that may wait for a client.
 */
export class WordBatch {
  readonly #side: ServerSide;
  readonly #portCount: number;
  readonly #liveServersWord: number;
  #place = 0;
  /** Of the ports of this place: which are locked and not yet served, and which are served and not yet answered. */
  #claimed = 0;
  #served = 0;

  constructor(side: ServerSide) {
    const { portCount, controlWord } = side.channel.layout;
    this.#side = side;
    this.#portCount = portCount;
    this.#liveServersWord = controlWord + ControlWord.liveServers;
  }

  /** Whether nobody else serves the channel, who could take some of the calls meanwhile. A stale look. */
  get isAlone(): boolean {
    return this.#side.channel.words.peek(this.#liveServersWord) <= 1;
  }

  /**
   * Claims the ports of one place that have calls: of the one behind the last, if that has any. Looks for a
   * moment; returns whether there were any, or are from before. Bounded.
   */
  claim(): boolean {
    if (this.hasMore) return true;
    const placeCount = Math.ceil(this.#portCount / 32);
    for (let look = Math.max(WATCH_GLANCES, placeCount); look > 0; look--) {
      this.#place = this.#place + 1 < placeCount ? this.#place + 1 : 0;
      // Bits behind the last port stand for nothing: clients may write them.
      const ports = portBits(this.#place, this.#portCount);
      const ready = this.#side.mailboxes.looksOwnedBits(this.#place, ports);
      if (ready === 0) continue;
      this.#claimed = this.#side.tryLockOwnedBits(this.#place, ready);
      if (this.hasMore) return true;
    }
    return false;
  }

  /** Whether some are claimed and not yet served. */
  get hasMore(): boolean {
    return this.#claimed !== 0;
  }

  /** The next port to be served; {@linkcode NO_PORT} when all were. */
  next(): number {
    const claimed = this.#claimed;
    if (claimed === 0) return NO_PORT;
    this.#claimed = claimed & claimed - 1;
    return lowestPort(this.#place, claimed);
  }

  /** Takes over to answer a call that others of its word come before or behind; says no to others. */
  takeAnswer(index: number): boolean {
    if ((this.#claimed | this.#served) === 0 || index >> 5 !== this.#place) return false;
    this.#served |= 1 << (index & 31);
    return true;
  }

  /** Answers what was served. Bounded. */
  answer(): void {
    const served = this.#served;
    this.#served = 0;
    if (served !== 0) this.#side.handBackBits(this.#place, served);
  }

  /** Answers the rest of what was served, and returns the ports of what was not, for any server. Bounded. */
  end(): void {
    this.answer();
    const claimed = this.#claimed;
    this.#claimed = 0;
    if (claimed !== 0) this.#side.unlockBits(this.#place, claimed);
  }
}
