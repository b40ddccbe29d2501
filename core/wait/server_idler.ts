import {
  checkWaiterName,
  pauseUpTo,
  STRATEGIES,
  type Strategy,
  type WaiterName,
} from "./strategy.ts";

/** How a server passes the time between searches that found nothing, up to the point of sleep. */
export class ServerIdler {
  readonly #strategy: Strategy;
  #idleSearches = 0;
  #pauses = 0;

  constructor(name: WaiterName) {
    checkWaiterName(name);
    this.#strategy = STRATEGIES[name];
    this.reset();
  }

  /** There was work. */
  reset(): void {
    this.#idleSearches = 0;
    this.#pauses = this.#strategy.pausesMin;
  }

  /** There was none: pauses as the strategy has it, and says whether to sleep now. */
  wantsSleep(): boolean {
    this.#pauses = pauseUpTo(this.#pauses, this.#strategy.pausesMax);
    return this.#strategy.parks && ++this.#idleSearches >= this.#strategy.burstPolls;
  }
}
