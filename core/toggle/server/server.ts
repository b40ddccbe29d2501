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
import { ServerPort } from "./server_port.ts";
import { ServiceRegistry } from "./service_registry.ts";
import { LoopTurns } from "../../wait/loop_turns.ts";
import { CLIENT_TIMEOUT_SECONDS } from "../../wait/deadline.ts";
import { ServerIdler, type WaiterName } from "../../wait/strategy.ts";
import { STEP_GLANCES } from "../../wait/tuning.ts";
import { WordBatch } from "./word_batch.ts";
import { WorkSearch } from "./work_search.ts";
import type { PortWaiter } from "../../wait/inbox_waiter.ts";

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
  /**
   * Whether a client is told the stack of what a handler threw, with the paths of this side's files;
   * true when absent. False for clients that are not trusted.
   */
  readonly tellsStacks?: boolean;
  /**
   * Told of each call that was refused or failed. What it throws ends no call; it is thrown again on the
   * event loop, where nobody catches it: an `error` event, as of any listener that throws.
   */
  readonly onFault?: (fault: FaultReport) => void;
}

/**
 * The passive side. One per worker; any number of workers may serve the same channel.
 *
 * | operation | bounded? | blocks? | can it say no? |
 * | --- | --- | --- | --- |
 * | `tryOpen` | yes: busy ports, now and then all | no | yes |
 * | `runOnce` | as its handler | as its handler | yes |
 * | `runAll` | ports x handlers | as its handlers | yes |
 * | `run` | no | until the channel ends or attention is raised | no |
 *
 * @example
 * ```ts
 * import { Channel } from "../channel.ts";
 * import { Server } from "./server.ts";
 * const server = new Server(Channel.create({ portCount: 4, laneCount: 1 }));
 * server.operate(40_000, (packet) => packet.setUint32(0, 0, packet.getUint32(0, 0) + 1));
 * if (server.runOnce()) throw new Error("nobody called");
 * ```
 */
export class Server extends ServiceRegistry {
  readonly #side: ServerSide;
  readonly #search: WorkSearch;
  readonly #batch: WordBatch | undefined;
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
    const sideOptions = { waiter: portWaiter, clientTimeoutSeconds, tellsStacks };
    this.#side = new ServerSide(channel, sideOptions);
    this.#search = new WorkSearch(this.#side);
    this.#waiterName = waiter;
    this.#dispatch = new Dispatch(this.#side, this.services, onFault);
    if (channel.layout.discovery === "bitmap") this.#batch = new WordBatch(this.#side);
    this.#dispatch.batch = this.#batch;
    this.#pendingCalls = this.#dispatch.pendingCalls;
    this.#end = new ServerEnd(this.#side, {
      search: this.#search,
      dispatch: this.#dispatch,
      runAll: () => this.runAll(),
    });
    this.services.set(Opcode.noop, { operate: leaveAsIs });
  }

  /** This server's number on the channel: what `reclaimServer` takes. */
  get id(): number {
    return this.#side.ownerId;
  }

  /** @internal The `id` of the client that holds a port, 0 when none does. */
  clientIdAt(portIndex: number): number {
    return this.#side.locks.peerHolder(portIndex);
  }

  /** @internal Tells a run of a kernel of each fault, beside `onFault`; nobody when absent. */
  tellFaults(listener?: (fault: FaultReport) => void): void {
    this.#dispatch.faultListener = listener;
  }

  /** @internal Has handlers wait as the run of a kernel says, while that runs in this thread; as before when absent. */
  lendWaiter(waiter?: WaiterName | PortWaiter): void {
    this.#side.lendWaiter(waiter);
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
    // A blocking run() that runs, which a handler's code is in now, has to end.
    if (this.#isBlocking) this.#side.channel.raiseAttention();
  }

  /**
   * Opens a port that has a call, for callers that serve by hand. Bounded. The header was not
   * checked: `runOnce` does that.
   */
  tryOpen(): ServerPort<"fresh"> | undefined {
    if (!this.#side.mayStay()) return undefined;
    this.#batch?.answer(); // as in runOnce()
    const claimed = this.#batch?.next() ?? NO_PORT;
    const index = claimed === NO_PORT ? this.#search.tryClaim() : claimed;
    if (index === NO_PORT) return undefined;
    this.#side.takeLate(index);
    const packet = new Packet(this.#side.views);
    this.#side.aim(packet, index);
    const port = new ServerPort<"fresh">(this.#side);
    port.begin(packet, this.#side.headers.opcodeWord(index));
    return port;
  }

  /** Serves at most one port; returns whether there was one. */
  runOnce(): boolean {
    if (!this.#side.mayStay()) return false;
    if (!this.#batch) return this.#serveAt(this.#search.tryClaim());
    // Within a handler: what is claimed is found by no search, and the handler may wait for the answer.
    const index = this.#batch.next();
    const hasServed = this.#serveAt(index === NO_PORT ? this.#search.tryClaim() : index);
    this.#batch.answer();
    return hasServed;
  }

  /**
   * @internal As {@linkcode runOnce}, and where no port has work it looks for a moment longer at the one that had
   * it last: for who does nothing else.
   */
  watchOnce(): boolean {
    return this.#side.mayStay() && this.#serveFound();
  }

  /**
   * Serves what one search finds, a moment long: a port, or those of a word together.
   *
   * @param turns when to stop in between, for the event loop to have its turn
   */
  #serveFound(turns?: LoopTurns): boolean {
    const batch = this.#batch;
    if (!batch?.isAlone) {
      return this.#serveAt(this.#search.tryClaim(STEP_GLANCES));
    }
    if (!batch.claim()) return false;
    let isInterrupted = false;
    try {
      while (this.#serveAt(batch.next()) && batch.hasMore && this.#mayGoOn(batch)) {
        isInterrupted = turns?.isDue ?? false;
        if (isInterrupted) break;
      }
    } finally {
      if (isInterrupted) batch.answer();
      else batch.end();
    }
    return true;
  }

  /** Whether what is claimed is this server's to serve still: else each call would hold up the end, or another server. */
  #mayGoOn(batch: WordBatch): boolean {
    return this.#side.mayBegin() && batch.isAlone;
  }

  #serveAt(index: number): boolean {
    if (index === NO_PORT) return false;
    this.#dispatch.serveAt(index);
    return true;
  }

  /** Looks at every port, hinted or not, and serves each that has a call; returns how many had. */
  runAll(): number {
    if (!this.#side.mayStay()) return 0;
    let count = 0;
    while (this.#batch && this.#serveAt(this.#batch.next())) count++; // as in runOnce()
    for (let index = 0; index < this.#side.channel.layout.portCount; index++) {
      if (this.#search.tryClaimAt(index) && this.#serveAt(index)) count++;
    }
    this.#batch?.answer();
    return count;
  }

  /**
   * Says that this server is going to serve, so that a shutdown waits until it has finished what was
   * sent. `run` does it, too; for servers whose clients start before.
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
   * @throws {TypeError} on the main thread of a page, which may not block: see {@linkcode runAsync}
   */
  run(): boolean {
    if (!mayBlock()) refuseToBlock();
    if (this.hasAsync) {
      throw new TypeError("Cannot block in run() as a service is asynchronous: use runAsync()");
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
      const hasServed = this.#serveFound();
      if (this.#pendingCalls.isBusy ? this.#pendingCalls.poll() > 0 || hasServed : hasServed) {
        idler.reset();
      } else if (idler.wantsSleep()) this.#search.sleep(seen, this.#pendingCalls.sleepMilliseconds);
    }
  }

  /**
   * Serves until the channel is shut down and what was sent before is done, or until this server was asked
   * to leave, on the event loop: it has its turn whenever there is no work, and every few milliseconds when
   * there is. Runs asynchronous handlers; when this server has to leave, it leaves when they are done or
   * their time is over. Raised attention, which ends a {@linkcode run}, does not end it: what others want of
   * this thread has its turn anyway.
   */
  async runAsync(): Promise<void> {
    while (await this.runAsyncOnce());
  }

  /** @internal As {@linkcode run}, on the event loop: until attention is raised, too. */
  async runAsyncOnce(): Promise<boolean> {
    this.announce();
    this.#dispatch.waits = "async";
    try {
      try {
        await this.#serveOnLoop(this.#side.channel);
      } finally {
        this.#batch?.end();
      }
      return await this.#end.staysUnlessEndedAsync();
    } finally {
      this.#dispatch.waits = "never";
    }
  }

  async #serveOnLoop(channel: Channel): Promise<void> {
    const seen = channel.stateWord;
    const turns = new LoopTurns();
    while (channel.stateWord === seen && channel.looksRunning && this.#side.mayStay()) {
      const hasServed = this.#batch ? this.#serveFound(turns) : this.runOnce();
      if (this.#pendingCalls.poll() > 0 || hasServed) {
        if (turns.isDue) await turns.take();
      } else if (
        !await this.#search.sleepAsync(seen, this.#pendingCalls.sleepMilliseconds) &&
        !this.runOnce()
      ) {
        // Work that another server holds: it is not slept through, nor waited for without a turn.
        await turns.take();
      }
    }
  }
}

function ignoreFault(): void {}
function leaveAsIs(): void {}
