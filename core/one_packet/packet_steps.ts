import type { WaitGuard } from "../wait/inbox_waiter.ts";

/** The steps of a call under way: its answer is awaited and read, or given up. */
export interface AnswerSteps {
  /** Whether the answer is there. Then the client owns the packet. */
  isAnswered(index: number): boolean;
  /** Blocks until the answer is there, or the guard throws. */
  awaitAnswer(index: number, guard: WaitGuard): void;
  /** As `awaitAnswer`, without blocking the event loop. */
  awaitAnswerAsync(index: number, guard: WaitGuard): Promise<void>;
  /** Returns a packet whose answer was read. */
  release(index: number): void;
  /** Abandons a packet that was posted: no one will read its answer. It is freed later. */
  leave(index: number): void;
}

/**
 * The client's steps of a protocol that carries a packet there and back. All are bounded and never wait,
 * except `awaitAnswer` and `awaitAnswerAsync`. `index` is what `tryClaim` returned.
 *
 * ```text
 * tryClaim -> (fill) -> post -> isAnswered, until true -> (use) -> release
 *                  \-> drop         \-> leave
 * ```
 */
export interface ClientSteps extends AnswerSteps {
  /** Takes a free packet; `undefined` when it finds none, even if one is just being freed. */
  tryClaim(): number | undefined;
  /** Gives the filled packet to the server. */
  post(index: number): void;
  /** Returns a packet that was claimed and not posted. */
  drop(index: number): void;
}

/** The server's steps. Bounded; they never wait. */
export interface ServerSteps {
  /** Takes a packet with a request; `undefined` when there is none. May clean up on the way. */
  tryTake(): number | undefined;
  /** Gives the packet back with its answer. */
  answer(index: number): void;
}
