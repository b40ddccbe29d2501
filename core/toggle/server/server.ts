import type { Channel } from "../channel.ts";
import { Dispatch, type FaultReport } from "./dispatch.ts";
import { NO_PORT } from "../../wait/hint.ts";
import { ChannelState } from "../layout.ts";
import { Opcode } from "../../memory/opcode.ts";
import { Packet } from "../../memory/packet.ts";
import { mayBlock } from "../../memory/words.ts";
import { refuseToBlock } from "../../wait/async_only_waiter.ts";
import { ServerSide } from "./server_side.ts";
import { ServerPort } from "./server_port.ts";
import { ServiceRegistry } from "./service_registry.ts";
import { type PortWaiter } from "../../wait/inbox_waiter.ts";
import { LoopTurns } from "../../wait/loop_turns.ts";
import { ServerIdler } from "../../wait/server_idler.ts";
import { type WaiterName } from "../../wait/strategy.ts";
import { WorkSearch } from "./work_search.ts";

/** How a server behaves. */
export interface ServerOptions {
  /** How to wait for work and, in the middle of a call, for its client; `adaptive` when absent. */
  readonly waiter?: WaiterName;
  /** Another way to wait in the middle of a call. */
  readonly portWaiter?: PortWaiter;
  /**
   * How long a client may take for one step in the middle of its call, in seconds; 5 when absent.
   * Then the call is given up and the server goes on; `Infinity` lets one idle client hold it up.
   */
  readonly clientTimeoutSeconds?: number;
  /** Told of each call that was refused or failed. What it throws is ignored. */
  readonly onFault?: (fault: FaultReport) => void;
}

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
  #isBlocking = false;

  /** Takes a number of its own on the channel; serves nothing yet but `Opcode.noop`. */
  constructor(channel: Channel, options: ServerOptions = {}) {
    super();
    const { waiter = "adaptive", portWaiter = waiter, onFault = ignoreFault } = options;
    const { clientTimeoutSeconds = CLIENT_TIMEOUT_SECONDS } = options;
    this.#side = new ServerSide(channel, { waiter: portWaiter, clientTimeoutSeconds });
    this.#search = new WorkSearch(this.#side);
    this.#waiterName = waiter;
    this.#dispatch = new Dispatch(this.#side, this.services, onFault);
    this.services.set(Opcode.noop, { operate: leaveAsIs });
  }

  /** This server's number on the channel: what `reclaimServer` takes. */
  get id(): number {
    return this.#side.ownerId;
  }

  /** Whether an asynchronous handler runs. */
  get isBusy(): boolean {
    return this.#dispatch.asyncCalls.isBusy;
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
    const index = this.#search.tryClaim();
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
      if (!this.#hasToEnd) return true;
      while (this.#serveRest());
      return this.#leave();
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
      if (this.#serveNext() || this.#serveLast()) idler.reset();
      else if (idler.wantsSleep()) this.#search.sleep(seen);
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
      return await this.#staysUnlessEndedAsync();
    } finally {
      this.#dispatch.waits = "never";
    }
  }

  async #serveOnLoop(channel: Channel): Promise<void> {
    const seen = channel.stateWord;
    const turns = new LoopTurns();
    while (channel.stateWord === seen && channel.looksRunning && this.#side.mayStay()) {
      if (this.serveOnce()) {
        if (turns.isDue) await turns.take();
      } else if (!await this.#search.sleepAsync(seen) && !this.serveOnce()) {
        // Work that another server holds: it is not slept through, nor waited for without a turn.
        await turns.take();
      }
    }
  }

  async #staysUnlessEndedAsync(): Promise<boolean> {
    const { channel } = this.#side;
    const { asyncCalls } = this.#dispatch;
    while (this.#hasToEnd && asyncCalls.isBusy) {
      const isStopping = channel.state === ChannelState.stopping;
      if (isStopping && this.serveAll() > 0) continue;
      // A handler may wait for a call of its own, opened before the end and sent after this look.
      await (isStopping ? asyncCalls.idleForMoment() : asyncCalls.idle());
    }
    if (!this.#hasToEnd) return true;
    // Clients that end a channel themselves may send on and on: the event loop has its turns.
    const turns = new LoopTurns();
    while (this.#serveRest()) if (turns.isDue) await turns.take();
    return this.#leave();
  }

  #serveLast(): boolean {
    const index = this.#search.watchLast();
    if (index === NO_PORT) return false;
    this.#dispatch.serveAt(index);
    return true;
  }

  /** Whether the channel ends, or this server was asked to leave. */
  get #hasToEnd(): boolean {
    return !this.#side.mayStay() || this.#side.channel.state !== ChannelState.running;
  }

  /** Serves what was sent before the channel's end; returns whether there was something. */
  #serveRest(): boolean {
    const isStopping = this.#side.channel.state === ChannelState.stopping;
    return isStopping && this.#side.mayStay() && this.serveAll() > 0;
  }

  #leave(): boolean {
    if (!this.#side.mayStay()) return !this.#side.hasLeft;
    this.#side.leaveServing();
    return false;
  }
}

const CLIENT_TIMEOUT_SECONDS = 5;
function ignoreFault(): void {}
function leaveAsIs(): void {}
