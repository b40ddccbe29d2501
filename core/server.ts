import type { Channel } from "./channel.ts";
import { writeFaultMessage } from "./fault_message.ts";
import { CONTINUES } from "./header.ts";
import { NO_PORT } from "./hint.ts";
import { ChannelState } from "./layout.ts";
import { checkOpcode, Opcode } from "./opcode.ts";
import { Packet } from "./packet.ts";
import type { PacketWork } from "./port.ts";
import { CallAbandoned, ServerGround } from "./server_ground.ts";
import { ServerPort } from "./server_port.ts";
import { Status } from "./status.ts";
import { LengthRefused } from "./stream.ts";
import { type PortWaiter, ServerIdler, type WaiterName } from "./wait.ts";
import { WorkSearch } from "./work_search.ts";

/**
 * Serves one call: mirrors the client's sends and receives on the port, synchronously. What it
 * throws reaches the client as a `CallError` with the message. The port is closed when it returns.
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

/** How a server behaves. */
export interface ServerOptions {
  /** How to wait for work and, in the middle of a call, for its client; `adaptive` when absent. */
  readonly waiter?: WaiterName;
  /** Another way to wait in the middle of a call. */
  readonly portWaiter?: PortWaiter;
  /** Told of each call that was refused or failed. Must not throw. */
  readonly onFault?: (fault: ServerFault) => void;
}

/** What an opcode word leads to: one of the two is there, or neither. */
interface Service {
  readonly operate?: PacketWork;
  readonly handler?: Handler;
}

const NO_SERVICE: Service = {};

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
 * import { Channel } from "./channel.ts";
 * import { Server } from "./server.ts";
 * const server = new Server(Channel.create({ portCount: 4, laneCount: 1 }));
 * server.operate(40_000, (packet) => packet.setUint32(0, 0, packet.getUint32(0, 0) + 1));
 * if (server.serveOnce()) throw new Error("nobody called");
 * ```
 */
export class Server {
  readonly #ground: ServerGround;
  readonly #search: WorkSearch;
  readonly #waiterName: WaiterName;
  readonly #onFault: (fault: ServerFault) => void;
  readonly #services = new Map<number, Service>();
  /** The packet and port objects of served calls, used again; absent while a call is served. */
  #sparePacket: Packet | undefined;
  #sparePort: ServerPort<"fresh"> | undefined;
  #lastOpcodeWord = -1;
  #lastService = NO_SERVICE;
  #isAnnounced = false;

  constructor(channel: Channel, options: ServerOptions = {}) {
    const { waiter = "adaptive", portWaiter = waiter, onFault = ignoreFault } = options;
    this.#ground = new ServerGround(channel, portWaiter);
    this.#search = new WorkSearch(this.#ground);
    this.#waiterName = waiter;
    this.#onFault = onFault;
    this.operate(Opcode.noop, leaveAsIs);
  }

  /** This server's number on the channel: what `reclaimServer` takes. */
  get id(): number {
    return this.#ground.ownerId;
  }

  /** The port at which the next search begins. */
  get nextIndex(): number {
    return this.#search.nextIndex;
  }

  /**
   * Sets what serves an opcode, in place of an earlier service. Clients may be running. For calls of
   * any shape; the common one, a packet there and back, is quicker with {@linkcode operate}.
   *
   * @throws {RangeError} when the opcode is not an integer from 0 to 65535
   */
  register(opcode: number, handler: Handler): void {
    this.#setService(opcode, { handler });
  }

  /**
   * Serves an opcode with a function that works on the packet in place, which goes back as the
   * reply: hostrpc's `operate`. Serves asynchronous calls, too, whose packet nobody reads then.
   *
   * @throws {RangeError} when the opcode is not an integer from 0 to 65535
   */
  operate(opcode: number, operate: PacketWork): void {
    this.#setService(opcode, { operate });
  }

  /** Takes the service of an opcode away; returns whether there was one. */
  unregister(opcode: number): boolean {
    this.#lastOpcodeWord = -1;
    return this.#services.delete(opcode);
  }

  /**
   * Opens a port that has a call, for callers that serve by hand. Bounded. The header was not
   * checked: `serveOnce` does that.
   */
  tryOpen(): ServerPort<"fresh"> | undefined {
    const index = this.#search.tryClaim();
    if (index === NO_PORT) return undefined;
    const port = new ServerPort<"fresh">(this.#ground);
    port.arm(index);
    return port;
  }

  /** Serves at most one port; returns whether there was one. */
  serveOnce(): boolean {
    const index = this.#search.tryClaim();
    if (index === NO_PORT) return false;
    this.#serveAt(index);
    return true;
  }

  /** Looks at every port, hinted or not, and serves each that has a call; returns how many had. */
  serveAll(): number {
    let count = 0;
    for (let index = 0; index < this.#ground.channel.layout.portCount; index++) {
      if (!this.#search.tryClaimAt(index)) continue;
      this.#serveAt(index);
      count++;
    }
    return count;
  }

  /**
   * Says that this server is going to serve, so that a shutdown waits until it has finished what was
   * sent. `serve` does it, too; for servers whose clients start before.
   */
  announce(): void {
    if (!this.#isAnnounced) this.#ground.channel.enterServing();
    this.#isAnnounced = true;
  }

  /**
   * Serves until the channel is shut down and what was sent before is done, or until attention is
   * raised. Blocks.
   *
   * @returns whether the channel still runs, in which case the caller is expected to serve again
   */
  serve(): boolean {
    const { channel } = this.#ground;
    this.announce();
    const seen = channel.stateWord;
    const idler = new ServerIdler(this.#waiterName);
    while (channel.stateGlance === seen && channel.looksRunning) {
      if (this.serveOnce()) idler.reset();
      else if (idler.wantsSleep()) this.#search.sleep(seen);
    }
    return this.#staysUnlessEnded();
  }

  /** As {@linkcode serve}, giving the event loop its turn whenever there is no work. */
  async serveAsync(): Promise<boolean> {
    const { channel } = this.#ground;
    this.announce();
    const seen = channel.stateWord;
    while (channel.stateWord === seen && channel.looksRunning) {
      if (!this.serveOnce()) await this.#search.sleepAsync(seen);
    }
    return this.#staysUnlessEnded();
  }

  #staysUnlessEnded(): boolean {
    const { channel } = this.#ground;
    if (channel.state === ChannelState.running) return true;
    while (channel.state === ChannelState.stopping && this.serveAll() > 0);
    channel.leaveServing();
    this.#isAnnounced = false;
    return false;
  }

  #setService(opcode: number, service: Service): void {
    checkOpcode(opcode);
    this.#services.set(opcode, service);
    this.#lastOpcodeWord = -1;
  }

  #serveAt(index: number): void {
    const { headers } = this.#ground;
    const opcodeWord = headers.opcodeWord(index);
    const service = this.#serviceOf(opcodeWord);
    const packet = this.#sparePacket ?? new Packet(this.#ground.views);
    this.#sparePacket = undefined;
    packet.aim(index, headers.maskLo(index), headers.maskHi(index));
    if (opcodeWord & CONTINUES) this.#refuse(index, packet, Status.outOfStep);
    else if (!packet.isMaskGood) this.#refuse(index, packet, Status.badMask);
    else if (service.operate) this.#operateAt(index, packet, service.operate);
    else if (service.handler) this.#handleAt(index, service.handler);
    else this.#refuse(index, packet, Status.unhandledOpcode);
    this.#sparePacket = packet;
  }

  #serviceOf(opcodeWord: number): Service {
    if (opcodeWord !== this.#lastOpcodeWord) {
      this.#lastService = this.#services.get(opcodeWord) ?? NO_SERVICE;
      this.#lastOpcodeWord = opcodeWord;
    }
    return this.#lastService;
  }

  #operateAt(index: number, packet: Packet, operate: PacketWork): void {
    try {
      operate(packet);
    } catch (cause) {
      return this.#refuse(index, packet, Status.handlerFailed, cause);
    }
    this.#handBack(index);
  }

  #handleAt(index: number, handler: Handler): void {
    const port = this.#sparePort ?? new ServerPort<"fresh">(this.#ground);
    this.#sparePort = undefined;
    port.arm(index);
    try {
      const returned: unknown = handler(port);
      if (returned instanceof Promise) throw new TypeError(ASYNCHRONOUS);
    } catch (cause) {
      this.#failPort(port, cause);
    }
    port[Symbol.dispose]();
    this.#sparePort = port;
  }

  #failPort(port: ServerPort, cause: unknown): void {
    if (cause instanceof CallAbandoned || !port.isOpen) return;
    const status = cause instanceof LengthRefused ? Status.lengthRefused : Status.handlerFailed;
    port.refuse(status, messageOf(cause));
    this.#onFault({ status, opcode: port.opcode, portIndex: port.index, cause });
  }

  #refuse(index: number, packet: Packet, status: Status, cause?: unknown): void {
    const { headers } = this.#ground;
    if (cause !== undefined) writeFaultMessage(packet, messageOf(cause));
    headers.setStatus(index, status);
    const opcode = headers.opcode(index);
    this.#handBack(index);
    this.#onFault({ status, opcode, portIndex: index, cause });
  }

  #handBack(index: number): void {
    this.#ground.giveAway(index);
    this.#ground.mailboxes.unlock(index);
  }
}

const ASYNCHRONOUS = "Cannot serve with a handler that returns a promise: handlers are synchronous";

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

function ignoreFault(): void {}
function leaveAsIs(): void {}
