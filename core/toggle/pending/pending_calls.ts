import { ChannelState } from "../layout.ts";
import type { ServerSide } from "../server/server_side.ts";
import type { Pending } from "./pending.ts";

/** How long a server sleeps between two polls of its pending calls: nothing wakes it when one is done. */
const SLEEP_MILLISECONDS = 0.2;

/** A call whose service answered "not yet". Its port stays locked. */
export interface PendingCall<Result = unknown> {
  readonly index: number;
  /** Whether a client waits for the answer. */
  readonly isAwaited: boolean;
  readonly pending: Pending<Result>;
  /** Answers the call and closes the port. */
  readonly finish: (result: Result) => void;
  /** Ends the call without an answer and closes the port. */
  readonly fail: (cause: unknown) => void;
}

/**
 * The calls of a server that are not done yet. Internal; users have `Server`. The server polls them
 * between its searches, which do not find them, as their ports are locked.
 */
export class PendingCalls {
  readonly #side: ServerSide;
  readonly #calls: PendingCall[] = [];

  constructor(side: ServerSide) {
    this.#side = side;
  }

  /** Whether there are any. */
  get isBusy(): boolean {
    return this.#calls.length > 0;
  }

  /** The longest time that the server may sleep while it waits for work, in milliseconds. */
  get sleepMilliseconds(): number {
    return this.isBusy ? SLEEP_MILLISECONDS : Infinity;
  }

  /** Takes a call whose port the server holds. */
  keep<Result>(call: PendingCall<Result>): void {
    this.#calls.push(call as PendingCall);
  }

  /** Polls each call once, or cancels it if its client has left; returns how many have ended. */
  poll(): number {
    return this.isBusy ? this.#look(this.#whyEnd()) : 0;
  }

  /** Cancels all of them. */
  cancel(why: string): void {
    this.#look(why);
  }

  #look(why: string | undefined): number {
    const calls = this.#calls;
    const looked = calls.length;
    let kept = 0;
    for (let place = 0; place < calls.length; place++) {
      const call = calls[place]!;
      if (place >= looked || !this.#hasEnded(call, why)) calls[kept++] = call;
    }
    const endedCount = calls.length - kept;
    calls.length = kept;
    return endedCount;
  }

  /** Why all of them have to end, if they do. */
  #whyEnd(): string | undefined {
    if (!this.#side.mayStay()) return "The server was asked to leave";
    return this.#side.channel.state === ChannelState.stopped
      ? "The channel was stopped"
      : undefined;
  }

  #hasEnded(call: PendingCall, whyAll: string | undefined): boolean {
    const { index, isAwaited, pending } = call;
    const hasLeft = isAwaited && !this.#side.isClientThere(index);
    const why = whyAll ?? (hasLeft ? "The client left the call" : undefined);
    try {
      if (why !== undefined) {
        const reason = new DOMException(why, "AbortError");
        pending.cancel(reason);
        throw reason;
      }
      const result = pending.poll();
      if (result === undefined) return false;
      call.finish(result);
    } catch (cause) {
      call.fail(cause);
    }
    return true;
  }
}
