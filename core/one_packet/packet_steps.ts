import type { WaitGuard } from "../wait/inbox_waiter.ts";

/** In place of a packet's index: there is none. */
export const NO_PACKET = -1;

/**
 * The client's steps of a protocol that carries a packet there and back. All are bounded and never
 * wait, but for the two that say so. `index` is what `tryClaim` returned.
 *
 * ```text
 * tryClaim -> (fill) -> post -> isAnswered, until true -> (use) -> release
 *                  \-> drop         \-> leave
 * ```
 */
export interface ClientSteps {
  /** Takes a free packet for this client, or `NO_PACKET`: may say no though one is just getting free. */
  tryClaim(): number;
  /** Gives the filled packet to the server. */
  post(index: number): void;
  /** Whether the packet came back: then it is the client's to read. */
  isAnswered(index: number): boolean;
  /** Blocks until the packet came back, or the guard throws. */
  awaitAnswer(index: number, guard: WaitGuard): void;
  /** As `awaitAnswer`, without blocking the event loop. */
  awaitAnswerAsync(index: number, guard: WaitGuard): Promise<void>;
  /** Returns a packet whose answer was read. */
  release(index: number): void;
  /** Returns a packet that was claimed and not posted. */
  drop(index: number): void;
  /** Leaves a packet that was posted: nobody will read its answer, and whoever can frees it. */
  leave(index: number): void;
}

/** The server's steps. Bounded; they never wait. */
export interface ServerSteps {
  /** Takes a packet with a request for this server, or `NO_PACKET`. May clean up on the way. */
  tryTake(): number;
  /** Gives the packet back with its answer. */
  answer(index: number): void;
}
