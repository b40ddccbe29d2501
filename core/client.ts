import type { Channel } from "./channel.ts";
import { CallError } from "./call_error.ts";
import { type CallHead, type ClientGround, ClientPort } from "./client_port.ts";
import { Doorbell } from "./doorbell.ts";
import { Hints, NO_PORT } from "./hint.ts";
import { fullMask, type LaneMask, maskFault } from "./lane_mask.ts";
import { checkOpcode } from "./opcode.ts";
import { type PacketWork, PortGround, type PortWaiter } from "./port.ts";
import { Status } from "./status.ts";
import { deadlineGuard, type WaiterName, type WaitOptions } from "./wait.ts";

/** How a call is made. */
export interface CallOptions extends WaitOptions {
  /** The lanes that take part; all when absent. */
  readonly mask?: LaneMask;
}

/** Passes over all ports before a blocking `open` sleeps. */
const OPEN_PASSES = 64;
const OPEN_SLEEP_MILLISECONDS = 50;

/**
 * The side that starts. One per worker; any number of workers may have one on the same channel.
 *
 * @example One synchronous call
 * ```ts
 * import { Channel } from "./channel.ts";
 * import { Client } from "./client.ts";
 * import { Server } from "./server.ts";
 *
 * const channel = Channel.create({ portCount: 1, laneCount: 1 });
 * const server = new Server(channel); // usually in another worker, see startServer()
 * server.register(40_000, (port) => port.recvAndSend((p) => p.setUint32(0, 0, p.getUint32(0, 0) + 1)));
 *
 * const client = new Client(channel);
 * const sent = client.open(40_000).send((packet) => packet.setUint32(0, 0, 41));
 * server.serveOnce();
 * sent.recv((packet) => {
 *   if (packet.getUint32(0, 0) !== 42) throw new Error("41 + 1");
 * }).close();
 * ```
 */
export class Client {
  readonly #ground: ClientGround;
  readonly #portCount: number;
  readonly #fullHead: { opcode: number; readonly mask: LaneMask };
  /** The port tried first: the one used last, whose lines are in this processor's cache. */
  #home: number;
  /** Objects of `call`, which never leave it, used again and again: one for each depth of nesting. */
  readonly #spares: ClientPort[] = [];

  constructor(channel: Channel, options: { readonly waiter?: WaiterName | PortWaiter } = {}) {
    const { layout, words } = channel;
    this.#ground = {
      ports: new PortGround(channel, "client", options.waiter ?? "adaptive"),
      hints: new Hints(words, layout),
      doorbell: new Doorbell(words, layout),
    };
    this.#portCount = layout.portCount;
    this.#fullHead = { opcode: 0, mask: fullMask(layout.laneCount) };
    this.#home = homeOf(this.id, layout.portCount);
  }

  /** This client's number on the channel: what `Channel.reclaimClient` takes. */
  get id(): number {
    return this.#ground.ports.ownerId;
  }

  /**
   * Opens a port if one is free. Bounded: one pass over the ports. May say no while ports are
   * free, when other workers were quicker.
   *
   * @throws {RangeError} when the opcode or the mask is not one of this channel
   * @throws {CallError} when the channel was shut down
   */
  tryOpen(
    opcode: number,
    options: { readonly mask?: LaneMask } = {},
  ): ClientPort<"fresh"> | undefined {
    const head = this.#headOf(opcode, options.mask);
    const index = this.#tryClaim(head.opcode);
    if (index === NO_PORT) return undefined;
    const port = new ClientPort<"fresh">(this.#ground);
    port.arm(index, head);
    return port;
  }

  /**
   * Opens a port, waiting until one is free. Blocks.
   *
   * @throws as {@linkcode tryOpen}, and at the deadline a `DOMException` named `TimeoutError`
   */
  open(opcode: number, options: CallOptions = {}): ClientPort<"fresh"> {
    const head = this.#headOf(opcode, options.mask);
    const port = new ClientPort<"fresh">(this.#ground);
    port.arm(this.#claim(head.opcode, options), head);
    return port;
  }

  /**
   * A synchronous call: open, send, recv, close. Allocates nothing when it need not wait for a
   * port. The callbacks may call, too, if the channel has ports for it.
   *
   * @throws {CallError} when the server refused, failed or is gone; the port is closed then
   */
  call(opcode: number, fill: PacketWork, use: PacketWork, options?: CallOptions): void {
    const port = this.#openSpare(opcode, options);
    try {
      port.send(fill).recv(use, options);
    } finally {
      this.#closeSpare(port);
    }
  }

  /** An asynchronous call: open, send, close. Nobody learns how it ended. */
  cast(opcode: number, fill: PacketWork, options?: CallOptions): void {
    const port = this.#openSpare(opcode, options);
    try {
      port.send(fill);
    } finally {
      this.#closeSpare(port);
    }
  }

  /** As {@linkcode call}, waiting for the reply without blocking the event loop. */
  async callAsync(
    opcode: number,
    fill: PacketWork,
    use: PacketWork,
    options: CallOptions = {},
  ): Promise<void> {
    const port = await this.openAsync(opcode, options);
    try {
      await port.send(fill).recvAsync(use, options);
    } finally {
      port.close();
    }
  }

  /** As {@linkcode open}, without blocking the event loop. */
  async openAsync(opcode: number, options: CallOptions = {}): Promise<ClientPort<"fresh">> {
    const checkDeadline = deadlineGuard("open a port", options);
    for (;;) {
      const port = this.tryOpen(opcode, options);
      if (port) return port;
      checkDeadline();
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }

  #openSpare(opcode: number, options: CallOptions | undefined): ClientPort {
    const head = this.#headOf(opcode, options?.mask);
    const index = this.#claim(head.opcode, options);
    const port = this.#spares.pop() ?? new ClientPort(this.#ground);
    port.arm(index, head);
    return port;
  }

  #closeSpare(port: ClientPort): void {
    port.close();
    this.#spares.push(port);
  }

  #headOf(opcode: number, mask: LaneMask | undefined): CallHead {
    checkOpcode(opcode);
    if (mask === undefined) {
      this.#fullHead.opcode = opcode;
      return this.#fullHead;
    }
    const fault = maskFault(mask, this.#ground.ports.channel.layout.laneCount);
    if (fault === undefined) return { opcode, mask };
    throw new RangeError(`Cannot open a port with the lane mask ${maskText(mask)} as ${fault}`);
  }

  #claim(opcode: number, options: WaitOptions | undefined): number {
    const index = this.#tryClaim(opcode);
    return index === NO_PORT ? this.#claimWaiting(opcode, options ?? {}) : index;
  }

  #tryClaim(opcode: number): number {
    this.#checkRunning(opcode);
    let index = this.#home;
    for (let step = 0; step < this.#portCount; step++) {
      if (this.#tryClaimAt(index)) {
        this.#home = index;
        return index;
      }
      if (++index === this.#portCount) index = 0;
    }
    return NO_PORT;
  }

  #tryClaimAt(index: number): boolean {
    const { mailboxes } = this.#ground.ports;
    if (mailboxes.looksLocked(index) || !mailboxes.looksOwned(index)) return false;
    if (!mailboxes.tryLock(index)) return false;
    if (mailboxes.owns(index)) return true;
    mailboxes.unlock(index);
    return false;
  }

  #claimWaiting(opcode: number, options: WaitOptions): number {
    const checkDeadline = deadlineGuard("open a port", options);
    const guard = () => {
      checkDeadline();
      this.#checkRunning(opcode);
    };
    for (let pass = 0;; pass++) {
      const index = this.#tryClaim(opcode);
      if (index !== NO_PORT) return index;
      guard();
      if (pass >= OPEN_PASSES) this.#awaitHome(guard);
    }
  }

  /**
   * Waits until the home port may be free. Locked, it is watched by its lock; unlocked, an
   * asynchronous call is still on it, which the server's flip will end.
   */
  #awaitHome(guard: () => void): void {
    const { mailboxes, waiter } = this.#ground.ports;
    const index = this.#home;
    if (!mailboxes.tryLock(index)) {
      return mailboxes.sleepUntilUnlocked(index, OPEN_SLEEP_MILLISECONDS);
    }
    try {
      if (!mailboxes.owns(index)) waiter.wait(index, mailboxes.foreignInbox(index), guard);
    } finally {
      mailboxes.unlock(index);
    }
  }

  /** A glance, because it stands on the path of every call: a wait looks again, in order. */
  #checkRunning(opcode: number): void {
    if (this.#ground.ports.channel.looksRunning) return;
    throw new CallError(Status.serverGone, { opcode });
  }
}

/** Spreads the first choices of the clients over the cache lines of the mailboxes. */
function homeOf(clientId: number, portCount: number): number {
  const portsPerLine = 16;
  const spread = (clientId - 1) * portsPerLine;
  return (spread + Math.floor(spread / portCount)) % portCount;
}

function maskText(mask: LaneMask): string {
  return `{ lo: 0x${mask.lo.toString(16)}, hi: 0x${mask.hi.toString(16)} }`;
}
