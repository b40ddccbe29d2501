import { Doorbell } from "./doorbell.ts";
import type { WaitGuard } from "./inbox_waiter.ts";
import { ServerIdler } from "./server_idler.ts";
import type { WaiterName } from "./strategy.ts";

/** Something bounded that may say "not yet", by `undefined`. */
export type Attempt<Result> = () => Result | undefined;

/**
 * Repeats a bounded operation until it succeeds, and sleeps on a bell between two attempts. Whoever
 * makes success possible rings afterwards. Nothing but the guard's deadline limits a sleep.
 *
 * @example
 * ```ts
 * import { BellWaiter } from "./bell_waiter.ts";
 * import { Doorbell } from "./doorbell.ts";
 * import { SharedWords } from "../memory/words.ts";
 * const words = new SharedWords(new SharedArrayBuffer(8));
 * const bell = new Doorbell(words, { sleepersWord: 0, bellWord: 1 });
 * const guard = { check: () => {}, leftMilliseconds: Infinity };
 * let left = 3;
 * const waiter = new BellWaiter(bell, "spin");
 * const result = waiter.wait(() => --left === 0 ? "done" : undefined, guard);
 * if (result !== "done") throw new Error("at the third attempt");
 * ```
 */
export class BellWaiter {
  readonly #bell: Doorbell;
  readonly #name: WaiterName;

  /** @throws {TypeError} when no strategy has the name */
  constructor(bell: Doorbell, name: WaiterName) {
    this.#bell = bell;
    this.#name = name;
    new ServerIdler(name);
  }

  /** Returns what the attempt returns, or throws what the guard or the attempt throws. Blocks. */
  wait<Result>(attempt: Attempt<Result>, guard: WaitGuard): Result {
    const idler = new ServerIdler(this.#name);
    for (;;) {
      guard.check();
      const result = attempt() ?? (idler.wantsSleep() ? this.#sleep(attempt, guard) : undefined);
      if (result !== undefined) return result;
    }
  }

  /** One sleep, unless the attempt after arming succeeds. */
  #sleep<Result>(attempt: Attempt<Result>, guard: WaitGuard): Result | undefined {
    // Sync: pairs with Doorbell.ring(), which comes after what makes the attempt succeed. An attempt
    // before arming alone could miss both the change and the ring: asleep for good.
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

  /** As {@linkcode wait}, without blocking the event loop: always sleeps between attempts. */
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
