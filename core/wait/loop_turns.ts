import { CLOCK_LOOKS } from "./tuning.ts";

/** How long a busy server may occupy the event loop before timers and messages run. */
const TURN_MILLISECONDS = 5;
const LOOKS = CLOCK_LOOKS; // see tuning.ts

/**
 * Lets the event loop run now and then during work that never ends. Otherwise a server that clients keep
 * busy would never continue an asynchronous handler.
 */
export class LoopTurns {
  #lookCount = 0;
  #lastMilliseconds = performance.now();
  #isDue = false;

  /** Whether the event loop has waited long enough, until it had its turn. Ask after each piece of work. */
  get isDue(): boolean {
    if (this.#isDue || ++this.#lookCount % LOOKS !== 0) return this.#isDue;
    return this.#isDue = performance.now() - this.#lastMilliseconds >= TURN_MILLISECONDS;
  }

  /** Lets timers and messages run. */
  async take(): Promise<void> {
    await new Promise<void>(nextTurn);
    this.#isDue = false;
    this.#lastMilliseconds = performance.now();
  }
}

/**
 * Calls back in a turn of the event loop to come. Timers take a millisecond for that, four on pages; where
 * there is `setImmediate`, which lets due timers go first, a turn takes some microseconds.
 */
function nextTurn(back: () => void): void {
  const { setImmediate } = globalThis as { setImmediate?(back: () => void): void };
  if (setImmediate) return setImmediate(back);
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    back();
  };
  port2.postMessage(0);
}
