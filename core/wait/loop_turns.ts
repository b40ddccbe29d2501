import { CLOCK_LOOKS } from "./tuning.ts";

/** How long a busy server may keep the event loop before timers and messages have their turn. */
const TURN_MILLISECONDS = 5;
const LOOKS = CLOCK_LOOKS; // see tuning.ts

/**
 * Sees to it that work which never runs out leaves the event loop its turns: without them a server
 * that clients keep busy would never go on with an asynchronous handler.
 *
 * @example
 * ```ts
 * import { LoopTurns } from "./loop_turns.ts";
 * const turns = new LoopTurns();
 * let fired = false;
 * setTimeout(() => fired = true, 0);
 * while (!fired) if (turns.isDue) await turns.take(); // for ever, without the turns
 * ```
 */
export class LoopTurns {
  #lookCount = 0;
  #lastMilliseconds = performance.now();

  /** Whether the loop has waited long enough; to be asked after each piece of work. */
  get isDue(): boolean {
    if (++this.#lookCount % LOOKS !== 0) return false;
    return performance.now() - this.#lastMilliseconds >= TURN_MILLISECONDS;
  }

  /** Lets timers and messages have their turn. */
  async take(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 0));
    this.#lastMilliseconds = performance.now();
  }
}
