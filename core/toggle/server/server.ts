import type { Channel } from "../channel.ts";
import { Dispatch, type FaultReport } from "./dispatch.ts";
import { NO_PORT } from "../../wait/hint.ts";
import { Opcode } from "../../memory/opcode.ts";
import type { PendingCalls } from "../pending/pending_calls.ts";
import { Packet } from "../../memory/packet.ts";
import { mayBlock } from "../../memory/words.ts";
import { refuseToBlock } from "../../wait/async_only_waiter.ts";
import { ServerSide } from "./server_side.ts";
import { ServerEnd } from "./server_end.ts";
import type { ServerOptions } from "./server_options.ts";
import { ServerPort } from "./server_port.ts";
import { ServiceRegistry } from "./service_registry.ts";
import { LoopTurns } from "../../wait/loop_turns.ts";
import { ServerIdler } from "../../wait/server_idler.ts";
import { type WaiterName } from "../../wait/strategy.ts";
import { WorkSearch } from "./work_search.ts";

/**
 * The passive side. One per worker; any number of workers may serve the same channel.
 *
 * | operation | bounded? | blocks? | can it say no? |
 * | --- | --- | --- | --- |
 * | `tryOpen` | yes: busy ports, now and then all | no | yes |
 * | `serveOnce` | as its handler | as its handler | yes |
 * | `serveAll` | ports x handlers | as its handlers | yes |
 * | `serve` | no | until the channel ends or attention is raised | no |
 *
 * @example
 * ```ts
 * import { Channel } from "../channel.ts";
 * import { Server } from "./server.ts";
 * const server = new Server(Channel.create({ portCount: 4, laneCount: 1 }));
 * server.operate(40_000, (packet) => packet.setUint32(0, 0, packet.getUint32(0, 0) + 1));
 * if (server.serveOnce()) throw new Error("nobody called");
 * ```
 */
export class Server extends ServiceRegistry {
  readonly #side: ServerSide;
  readonly #search: WorkSearch;
  readonly #waiterName: WaiterName;
  readonly #dispatch: Dispatch;
  readonly #pendingCalls: PendingCalls;
  readonly #end: ServerEnd;
  #isBlocking = false;

  /** Takes a number of its own on the channel; serves nothing yet but `Opcode.noop`. */
  constructor(channel: Channel, options: ServerOptions = {}) {
    super();
    const { waiter = "adaptive", portWaiter = waiter, onFault = ignoreFault } = options;
    const { clientTimeoutSeconds = CLIENT_TIMEOUT_SECONDS, tellsStacks = true } = options;
    this.#side = new ServerSide(channel, { waiter: portWaiter, clientTimeoutSeconds });
    this.#side.tellsStacks = tellsStacks;
    this.#search = new WorkSearch(this.#side);
    this.#waiterName = waiter;
    this.#dispatch = new Dispatch(this.#side, this.services, onFault);
    this.#pendingCalls = this.#dispatch.pendingCalls;
    this.#end = new ServerEnd(this.#side, {
      search: this.#search,
      dispatch: this.#dispatch,
      serveAll: () => this.serveAll(),
    });
    this.services.set(Opcode.noop, { operate: leaveAsIs });
  }

  /** This server's number on the channel: what `reclaimServer` takes. */
  get id(): number {
    return this.#side.ownerId;
  }

  /** @internal The `id` of the client that holds a port, 0 when none does. */
  clientIdAt(portIndex: number): number {
    return this.#side.peerId(portIndex);
  }

  /** @internal Tells a run of a kernel of each fault, beside `onFault`; nobody when absent. */
  tellFaults(listener?: (fault: FaultReport) => void): void {
    this.#dispatch.faultListener = listener;
  }

  /** Whether an asynchronous handler runs, or a call is pending. */
  get isBusy(): boolean {
    return this.#dispatch.asyncCalls.isBusy || this.#pendingCalls.isBusy;
  }

  /**
   * Looks at each pending call once, for callers that serve by hand; returns how many have ended. See
   * `Pending`.
   */
  pollPending(): number {
    return this.#pendingCalls.poll();
  }

  /** Cancels what is pending, for callers that serve by hand and whose clients will not go on. */
  cancelPending(why: string): void {
    this.#pendingCalls.cancel(why);
  }

  /** The port at which the next search begins. */
  get nextIndex(): number {
    return this.#search.nextIndex;
  }

  /** @internal An asynchronous service was registered while this server serves. */
  protected override onAsync(): void {
    // A blocking serve() that runs, which a handler's code is in now, has to end.
    if (this.#isBlocking) this.#side.channel.raiseAttention();
  }

  /**
   * Opens a port that has a call, for callers that serve by hand. Bounded. The header was not
   * checked: `serveOnce` does that.
   */
  tryOpen(): ServerPort<"fresh"> | undefined {
    if (!this.#side.mayStay()) return undefined;
    const index = this.#search.tryClaim();
    if (index === NO_PORT) return undefined;
    this.#side.takeLate(index);
    const packet = new Packet(this.#side.views);
    this.#side.aim(packet, index);
    const port = new ServerPort<"fresh">(this.#side);
    port.begin(packet, this.#side.opcode(index));
    return port;
  }

  /** Serves at most one port; returns whether there was one. */
  serveOnce(): boolean {
    return this.#side.mayStay() && this.#serveNext();
  }

  #serveNext(): boolean {
    return this.#serveAt(this.#search.tryClaim());
  }

  #serveLast(): boolean {
    return this.#serveAt(this.#search.watchLast());
  }

  #serveAt(index: number): boolean {
    if (index === NO_PORT) return false;
    this.#dispatch.serveAt(index);
    return true;
  }

  /** Looks at every port, hinted or not, and serves each that has a call; returns how many had. */
  serveAll(): number {
    if (!this.#side.mayStay()) return 0;
    let count = 0;
    for (let index = 0; index < this.#side.channel.layout.portCount; index++) {
      if (!this.#search.tryClaimAt(index)) continue;
      this.#dispatch.serveAt(index);
      count++;
    }
    return count;
  }

  /**
   * Says that this server is going to serve, so that a shutdown waits until it has finished what was
   * sent. `serve` does it, too; for servers whose clients start before.
   *
   * @param options `isCounted`: somebody else has said it, by `Channel.enterServing`
   */
  announce(options: { readonly isCounted?: boolean } = {}): void {
    this.#side.enterServing(options.isCounted ?? false);
  }

  /**
   * Serves until the channel is shut down and what was sent before is done, until this server was
   * asked to leave, or until attention is raised. Blocks.
   *
   * @returns whether this server is still wanted, in which case the caller is expected to serve again
   * @throws {TypeError} on the main thread of a page, which may not block: see {@linkcode serveAsync}
   */
  serve(): boolean {
    if (!mayBlock()) refuseToBlock();
    if (this.hasAsync) {
      throw new TypeError("Cannot block in serve() as a service is asynchronous: use serveAsync()");
    }
    this.announce();
    this.#isBlocking = true;
    this.#dispatch.waits = "blocking";
    try {
      this.#serveBlocking(this.#side.channel);
      return this.#end.staysUnlessEnded();
    } finally {
      this.#isBlocking = false;
      this.#dispatch.waits = "never";
    }
  }

  #serveBlocking(channel: Channel): void {
    const seen = channel.stateWord;
    const idler = new ServerIdler(this.#waiterName);
    // Whatever changes one of these answers changes the state word, too.
    const isWanted = channel.looksRunning && this.#side.mayStay();
    while (isWanted && channel.stateGlance === seen) {
      const hasServed = this.#serveNext() || this.#serveLast();
      if (this.#pendingCalls.isBusy ? this.#pendingCalls.poll() > 0 || hasServed : hasServed) {
        idler.reset();
      } else if (idler.wantsSleep()) this.#search.sleep(seen, this.#pendingCalls.sleepMilliseconds);
    }
  }

  /**
   * As {@linkcode serve}, on the event loop: it has its turn whenever there is no work, and every few
   * milliseconds when there is. Runs asynchronous handlers; when this server has to leave, it leaves
   * when they are done or their time is over.
   */
  async serveAsync(): Promise<boolean> {
    this.announce();
    this.#dispatch.waits = "async";
    try {
      await this.#serveOnLoop(this.#side.channel);
      return await this.#end.staysUnlessEndedAsync();
    } finally {
      this.#dispatch.waits = "never";
    }
  }

  async #serveOnLoop(channel: Channel): Promise<void> {
    const seen = channel.stateWord;
    const turns = new LoopTurns();
    while (channel.stateWord === seen && channel.looksRunning && this.#side.mayStay()) {
      const hasServed = this.serveOnce();
      if (this.#pendingCalls.poll() > 0 || hasServed) {
        if (turns.isDue) await turns.take();
      } else if (
        !await this.#search.sleepAsync(seen, this.#pendingCalls.sleepMilliseconds) &&
        !this.serveOnce()
      ) {
        // Work that another server holds: it is not slept through, nor waited for without a turn.
        await turns.take();
      }
    }
  }
}

const CLIENT_TIMEOUT_SECONDS = 5;
function ignoreFault(): void {}
function leaveAsIs(): void {}
