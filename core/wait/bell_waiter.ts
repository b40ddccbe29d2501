import { Doorbell } from "./doorbell.ts";
import type { WaitGuard } from "./inbox_waiter.ts";
import { ServerIdler, type WaiterName } from "./strategy.ts";

/** A bounded operation that returns `undefined` for "not yet". */
export type Attempt<Result> = () => Result | undefined;

/**
 * Repeats a bounded operation until it succeeds, and sleeps on a bell between attempts. The side that
 * makes success possible rings afterwards. Only the guard's deadline limits a sleep.
 */
export class BellWaiter {
  readonly #bell: Doorbell;
  readonly #name: WaiterName;

  /** @throws {TypeError} when the name is unknown */
  constructor(bell: Doorbell, name: WaiterName) {
    this.#bell = bell;
    this.#name = name;
    new ServerIdler(name);
  }

  /** Returns the attempt's result, or throws what the guard or the attempt throws. Blocks. */
  wait<Result>(attempt: Attempt<Result>, guard: WaitGuard): Result {
    const idler = new ServerIdler(this.#name);
    for (;;) {
      guard.check();
      const result = attempt() ?? (idler.wantsSleep() ? this.#sleep(attempt, guard) : undefined);
      if (result !== undefined) return result;
    }
  }

  /** Sleeps once, unless the attempt after arming succeeds. */
  #sleep<Result>(attempt: Attempt<Result>, guard: WaitGuard): Result | undefined {
    // Sync: pairs with Doorbell.ring(), which comes after the change that lets the attempt succeed. With
    // an attempt only before arming, we could miss both the change and the ring, and sleep forever.
    const armed = this.#bell.arm();
    try {
      guard.check();
      const result = attempt();
      if (result === undefined) this.#bell.sleep(armed, guard.leftMilliseconds);
      return result;
    } finally {
      this.#bell.disarm();
    }
  }

  /** As {@linkcode wait}, without blocking the event loop. Always sleeps between attempts. */
  async waitAsync<Result>(attempt: Attempt<Result>, guard: WaitGuard): Promise<Result> {
    const wake = () => this.#bell.ring();
    guard.signal?.addEventListener("abort", wake);
    try {
      for (;;) {
        guard.check();
        const result = attempt() ?? await this.#sleepAsync(attempt, guard);
        if (result !== undefined) return result;
      }
    } finally {
      guard.signal?.removeEventListener("abort", wake);
    }
  }

  async #sleepAsync<Result>(
    attempt: Attempt<Result>,
    guard: WaitGuard,
  ): Promise<Result | undefined> {
    // Sync: as #sleep().
    const armed = this.#bell.arm();
    try {
      guard.check();
      const result = attempt();
      if (result === undefined) await this.#bell.sleepAsync(armed, guard.leftMilliseconds);
      return result;
    } finally {
      this.#bell.disarm();
    }
  }
}
