import type { Channel } from "./channel.ts";
import { Doorbell } from "./doorbell.ts";
import { Hints, NO_PORT } from "./hint.ts";
import { ChannelState } from "./layout.ts";
import { checkOpcode, Opcode } from "./opcode.ts";
import { PortGround, type PortWaiter } from "./port.ts";
import { CallAbandoned, ServerPort } from "./server_port.ts";
import { Status } from "./status.ts";
import { LengthRefused } from "./stream.ts";
import { pauseUpTo, type WaiterName } from "./wait.ts";

/**
 * Serves one call: mirrors the client's sends and receives on the port, synchronously. What it
 * throws reaches the client as a `CallError` with the message. The port is closed when it
 * returns.
 */
export type Handler = (port: ServerPort<"fresh">) => void;

/** What the host is told of a call that ended badly. */
export interface ServerFault {
  readonly status: Status;
  readonly opcode: number;
  readonly portIndex: number;
  /** What the handler threw. */
  readonly cause?: unknown;
}

export interface ServerOptions {
  /** How to wait for work and for clients; `adaptive` when absent. */
  readonly waiter?: WaiterName;
  /** How to wait in the middle of a call; the same as `waiter` when absent. */
  readonly portWaiter?: PortWaiter;
  /** Told of each call that was refused or failed. Must not throw. */
  readonly onFault?: (fault: ServerFault) => void;
}

/** Passes between two tidyings of the hints. */
const TIDY_PASSES = 1 << 10;
/** Passes between two full scans: how long a lost hint can delay a call. */
const FULL_SCAN_PASSES = 1 << 14;
/** Passes without work before an adaptive server sleeps. */
const IDLE_PASSES = 2_000;
/** A sleeping server looks around this often, whatever happens. */
const SLEEP_MILLISECONDS = 50;
const BACKOFF_PAUSES_MAX = 64;

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
 * Fair: a search begins behind the port that was served last, so a port with work is passed over at
 * most once for each other port.
 *
 * @example
 * ```ts
 * import { Channel } from "./channel.ts";
 * import { Server } from "./server.ts";
 * const server = new Server(Channel.create({ portCount: 4, laneCount: 1 }));
 * server.register(40_000, (port) => port.recvAndSend((packet) => packet.setUint32(0, 0, 7)));
 * if (server.serveOnce()) throw new Error("nobody called");
 * ```
 */
export class Server {
  readonly #ground: PortGround;
  readonly #hints: Hints;
  readonly #doorbell: Doorbell;
  readonly #waiter: WaiterName;
  readonly #onFault: (fault: ServerFault) => void;
  readonly #handlers = new Map<number, Handler>();
  /** Objects of `serveOnce`, used again: one for each depth of nesting. */
  readonly #spares: ServerPort<"fresh">[] = [];
  readonly #looksReady: (index: number) => boolean;
  /** Hint bits of the ports served since the last tidying. */
  readonly #active: Uint32Array;
  #nextIndex = 0;
  #passCount = 0;
  #lastOpcode = -1;
  #lastHandler: Handler | undefined;

  constructor(channel: Channel, options: ServerOptions = {}) {
    const { waiter = "adaptive", portWaiter = waiter, onFault = ignoreFault } = options;
    this.#ground = new PortGround(channel, "server", portWaiter);
    this.#hints = new Hints(channel.words, channel.layout);
    this.#doorbell = new Doorbell(channel.words, channel.layout);
    this.#waiter = waiter;
    this.#onFault = onFault;
    this.#active = new Uint32Array(channel.layout.hintWordCount);
    const { mailboxes } = this.#ground;
    this.#looksReady = (index) => mailboxes.looksOwned(index) && !mailboxes.looksLocked(index);
    this.register(Opcode.noop, (port) => port.recv(ignorePacket));
  }

  /** This server's number on the channel: what `Channel.reclaimServer` takes. */
  get id(): number {
    return this.#ground.ownerId;
  }

  /** The port at which the next search begins. */
  get nextIndex(): number {
    return this.#nextIndex;
  }

  /**
   * Sets the handler of an opcode, in place of an earlier one. Clients may be running.
   *
   * @throws {RangeError} when the opcode is not an integer from 0 to 65535
   */
  register(opcode: number, handler: Handler): void {
    checkOpcode(opcode);
    this.#handlers.set(opcode, handler);
    this.#lastOpcode = -1;
  }

  /** Takes the handler of an opcode away; returns whether there was one. */
  unregister(opcode: number): boolean {
    this.#lastOpcode = -1;
    return this.#handlers.delete(opcode);
  }

  /**
   * Opens a port that has a call, for callers that serve by hand. Bounded. The header was not
   * checked: `serveOnce` does that.
   */
  tryOpen(): ServerPort<"fresh"> | undefined {
    const index = this.#tryClaim();
    return index === NO_PORT ? undefined : this.#arm(new ServerPort<"fresh">(this.#ground), index);
  }

  /** Serves at most one port; returns whether there was one. */
  serveOnce(): boolean {
    const index = this.#tryClaim();
    if (index === NO_PORT) return false;
    this.#serveAt(index);
    return true;
  }

  /** Looks at every port, hinted or not, and serves each that has a call; returns how many had. */
  serveAll(): number {
    let count = 0;
    for (let index = 0; index < this.#ground.channel.layout.portCount; index++) {
      if (!this.#tryClaimAt(index)) continue;
      this.#serveAt(index);
      count++;
    }
    return count;
  }

  /** Serves until the channel is shut down, or attention is raised. Blocks. */
  serve(): void {
    const { channel } = this.#ground;
    channel.enterServing();
    try {
      this.#serveLoop();
    } finally {
      channel.leaveServing();
    }
  }

  #serveLoop(): void {
    const { channel } = this.#ground;
    const seen = channel.stateWord;
    let idlePasses = 0;
    let pauses = 1;
    while (channel.stateWord === seen) {
      if (this.serveOnce()) {
        idlePasses = 0;
        pauses = 1;
      } else {
        pauses = this.#idle(++idlePasses, pauses);
      }
    }
    while (channel.state === ChannelState.stopping && this.serveAll() > 0);
  }

  #idle(idlePasses: number, pauses: number): number {
    if (this.#waiter === "spin") return pauses;
    if (this.#waiter === "spin-pause") return pauseUpTo(1, 1);
    if (this.#waiter === "backoff") return pauseUpTo(pauses, BACKOFF_PAUSES_MAX);
    if (this.#waiter === "park" || idlePasses >= IDLE_PASSES) this.#sleep();
    return pauses;
  }

  #sleep(): void {
    const armed = this.#doorbell.arm();
    try {
      this.#hints.clearAll();
      if (this.#fullScan() === NO_PORT) this.#doorbell.sleep(armed, SLEEP_MILLISECONDS);
    } finally {
      this.#doorbell.disarm();
    }
  }

  /** Looks at every mailbox, in order; marks what it finds, so that the next search sees it. */
  #fullScan(): number {
    let found = NO_PORT;
    const { mailboxes, channel } = this.#ground;
    for (let index = 0; index < channel.layout.portCount; index++) {
      if (!mailboxes.owns(index)) continue;
      this.#hints.mark(index);
      found = index;
    }
    return found;
  }

  #tryClaim(): number {
    this.#tidyHints();
    const index = this.#hints.find(this.#nextIndex, this.#looksReady);
    return index !== NO_PORT && this.#tryClaimAt(index) ? index : NO_PORT;
  }

  #tidyHints(): void {
    this.#passCount++;
    if (this.#passCount % TIDY_PASSES !== 0) return;
    this.#hints.clearIdle(this.#active, this.#looksReady);
    this.#active.fill(0);
    if (this.#passCount % FULL_SCAN_PASSES === 0) this.#fullScan();
  }

  #tryClaimAt(index: number): boolean {
    const { mailboxes } = this.#ground;
    if (!mailboxes.looksOwned(index) || !mailboxes.tryLock(index)) return false;
    // Between the glance and the lock another server may have served the port; without this second
    // look two servers would work on one call, or one on a packet that the client has.
    if (mailboxes.owns(index)) return true;
    mailboxes.unlock(index);
    return false;
  }

  #serveAt(index: number): void {
    this.#nextIndex = index + 1 === this.#ground.channel.layout.portCount ? 0 : index + 1;
    this.#hints.noteActive(this.#active, index);
    const port = this.#arm(this.#spares.pop() ?? new ServerPort<"fresh">(this.#ground), index);
    try {
      this.#dispatch(port);
    } finally {
      port[Symbol.dispose]();
      this.#spares.push(port);
    }
  }

  #arm(port: ServerPort<"fresh">, index: number): ServerPort<"fresh"> {
    port.arm(index);
    return port;
  }

  #dispatch(port: ServerPort<"fresh">): void {
    const isMiddle = this.#ground.headers.continues(port.index);
    if (isMiddle) return this.#refuse(port, Status.outOfStep);
    if (!port.isMaskGood) return this.#refuse(port, Status.badMask);
    const handler = this.#handlerOf(port.opcode);
    if (handler === undefined) return this.#refuse(port, Status.unhandledOpcode);
    this.#run(handler, port);
  }

  #handlerOf(opcode: number): Handler | undefined {
    if (opcode !== this.#lastOpcode) {
      this.#lastHandler = this.#handlers.get(opcode);
      this.#lastOpcode = opcode;
    }
    return this.#lastHandler;
  }

  #run(handler: Handler, port: ServerPort<"fresh">): void {
    try {
      const returned: unknown = handler(port);
      if (returned instanceof Promise) {
        throw new TypeError("Cannot serve with an asynchronous handler");
      }
    } catch (cause) {
      if (cause instanceof CallAbandoned) return;
      const status = cause instanceof LengthRefused ? Status.lengthRefused : Status.handlerFailed;
      this.#refuse(port, status, cause);
    }
  }

  #refuse(port: ServerPort, status: Status, cause?: unknown): void {
    const message = cause === undefined ? undefined : messageOf(cause);
    port.refuse(status, message);
    this.#onFault({ status, opcode: port.opcode, portIndex: port.index, cause });
  }
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

function ignoreFault(): void {}
function ignorePacket(): void {}
