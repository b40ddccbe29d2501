import { LoopTurns } from "../../wait/loop_turns.ts";
import { ChannelState } from "../layout.ts";
import type { Dispatch } from "./dispatch.ts";
import type { ServerSide } from "./server_side.ts";
import type { WorkSearch } from "./work_search.ts";

/**
 * How a server ends, or finds that it is still wanted: what was sent before the channel's end is served,
 * and what goes on is waited for. A server that was asked to leave cancels its pending calls.
 */
export class ServerEnd {
  readonly #side: ServerSide;
  readonly #search: WorkSearch;
  readonly #dispatch: Dispatch;
  readonly #runAll: () => number;

  constructor(
    side: ServerSide,
    { search, dispatch, runAll }: {
      readonly search: WorkSearch;
      readonly dispatch: Dispatch;
      /** Serves every port that has a call, and says how many had. */
      readonly runAll: () => number;
    },
  ) {
    this.#side = side;
    this.#search = search;
    this.#dispatch = dispatch;
    this.#runAll = runAll;
  }

  /** Returns whether the server is still wanted, else when it has left. Blocks. */
  staysUnlessEnded(): boolean {
    const { pendingCalls } = this.#dispatch;
    while (this.#hasToEnd) {
      if (pendingCalls.poll() > 0 || this.#serveRest()) continue;
      const { isBusy, sleepMilliseconds } = pendingCalls;
      if (!isBusy) return this.#leave();
      this.#search.sleep(this.#side.channel.stateWord, sleepMilliseconds);
    }
    return true;
  }

  /** As {@linkcode staysUnlessEnded}, on the event loop; waits for asynchronous handlers, too. */
  async staysUnlessEndedAsync(): Promise<boolean> {
    const { channel } = this.#side;
    const { asyncCalls, pendingCalls } = this.#dispatch;
    const turns = new LoopTurns();
    while (this.#hasToEnd) {
      if (pendingCalls.poll() > 0 || this.#serveRest()) {
        // Clients that end a channel themselves may send on and on: the event loop has its turns.
        if (turns.isDue) await turns.take();
      } else if (pendingCalls.isBusy) await turns.take();
      else if (!asyncCalls.isBusy) return this.#leave();
      // A handler may wait for a call of its own, opened before the end and sent after this look.
      else if (channel.state === ChannelState.stopping) await asyncCalls.idleForMoment();
      else await asyncCalls.idle();
    }
    return true;
  }

  /** Whether the channel ends, or this server was asked to leave. */
  get #hasToEnd(): boolean {
    return !this.#side.mayStay() || this.#side.channel.state !== ChannelState.running;
  }

  /** Serves what was sent before the channel's end; returns whether there was something. */
  #serveRest(): boolean {
    const isStopping = this.#side.channel.state === ChannelState.stopping;
    return isStopping && this.#side.mayStay() && this.#runAll() > 0;
  }

  #leave(): boolean {
    if (!this.#side.mayStay()) return !this.#side.hasLeft;
    this.#side.leaveServing();
    return false;
  }
}
