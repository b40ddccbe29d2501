import { writeErrorText } from "../call/error_text.ts";
import { errorReport } from "../call/error_report.ts";
import { checkUserOpcode, OPCODE_MAX } from "../memory/opcode.ts";
import { Packet, type PacketWork } from "../memory/packet.ts";
import { checkService, tellListener } from "../memory/sync_result.ts";
import { Status } from "../memory/status.ts";
import { BellWaiter } from "../wait/bell_waiter.ts";
import type { WaitGuard } from "../wait/inbox_waiter.ts";
import { LoopTurns } from "../wait/loop_turns.ts";
import type { WaiterName } from "../wait/strategy.ts";
import type { PacketChannel, PacketMemory } from "./packet_channel.ts";
import { NO_PACKET, type ServerSteps } from "./packet_steps.ts";

/** What the host is told of a call that ended badly. */
export interface PacketFault {
  /** Why, as the client is told. */
  readonly status: Status;
  /** What was asked for, as the client wrote it. */
  readonly opcode: number;
  /** What the function threw. */
  readonly cause?: unknown;
}

/** How a server behaves. */
export interface PacketServerOptions {
  /** How it waits for work; `adaptive` when absent. */
  readonly waiter?: WaiterName;
  /**
   * Told of each call that was refused or failed. What it throws ends no call; it is thrown again on the
   * event loop, where nobody catches it: an `error` event, as of any listener that throws.
   */
  readonly onFault?: (fault: PacketFault) => void;
}

const NO_LIMIT: WaitGuard = { check: () => {}, leftMilliseconds: Infinity };

/**
 * The passive side, of a protocol that carries one packet there and back. One per worker; any number
 * of workers may serve the same channel.
 *
 * | operation | bounded? | blocks? | can it say no? |
 * | --- | --- | --- | --- |
 * | `serveOnce` | as its function | as its function | yes |
 * | `serve` | no | until the channel is stopped | no |
 */
export class PacketServer {
  readonly #channel: PacketChannel<PacketMemory>;
  readonly #steps: ServerSteps;
  readonly #work: BellWaiter;
  readonly #onFault: (fault: PacketFault) => void;
  readonly #services = new Map<number, PacketWork>();

  /** @internal By a protocol's own server. */
  protected constructor(
    channel: PacketChannel<PacketMemory>,
    steps: ServerSteps,
    options: PacketServerOptions,
  ) {
    this.#channel = channel;
    this.#steps = steps;
    this.#work = new BellWaiter(channel.workBell, options.waiter ?? "adaptive");
    this.#onFault = options.onFault ?? (() => {});
  }

  /**
   * Serves an opcode with a function that works on the packet in place, which goes back as the
   * answer. Replaces an earlier one. Clients may be running.
   *
   * @throws {RangeError} when the opcode is not an integer from 32768 to 65535
   * @throws {TypeError} when what is to serve it is no function
   */
  operate(opcode: number, work: PacketWork): void {
    checkUserOpcode(opcode);
    checkService(`opcode ${opcode}`, work);
    this.#services.set(opcode, work);
  }

  /** Serves at most one call; returns whether there was one. Never waits. */
  serveOnce(): boolean {
    const index = this.#steps.tryTake();
    if (index === NO_PACKET) return false;
    this.#serveAt(index);
    return true;
  }

  /** Serves until the channel is stopped. Blocks. */
  serve(): void {
    while (this.#work.wait(() => this.#turn(), NO_LIMIT) === "served");
  }

  /** As {@linkcode serve}, on the event loop, which has its turn every few milliseconds. */
  async serveAsync(): Promise<void> {
    const turns = new LoopTurns();
    while (await this.#work.waitAsync(() => this.#turn(), NO_LIMIT) === "served") {
      if (turns.isDue) await turns.take();
    }
  }

  #turn(): "served" | "stopped" | undefined {
    if (this.#channel.isStopped) return "stopped";
    return this.serveOnce() ? "served" : undefined;
  }

  /** The header comes from the other side: each word is read once, and checked before it is used. */
  #serveAt(index: number): void {
    const { headers, views } = this.#channel;
    const opcode = headers.opcodeWord(index) >>> 0;
    const packet = new Packet(views);
    packet.aim(index, headers.maskLo(index), headers.maskHi(index));
    const work = opcode <= OPCODE_MAX ? this.#services.get(opcode) : undefined;
    if (!packet.isMaskGood) this.#refuse(index, { status: Status.badMask, opcode });
    else if (!work) this.#refuse(index, { status: Status.unhandledOpcode, opcode });
    else this.#run(packet, work, opcode);
  }

  #run(packet: Packet, work: PacketWork, opcode: number): void {
    const { index } = packet;
    try {
      packet.checkSync(work(packet), "an operate");
    } catch (cause) {
      const failed = new Packet(this.#channel.views);
      failed.aim(index, 0, 0);
      writeErrorText(failed, errorReport(cause).message);
      return this.#refuse(index, { status: Status.handlerFailed, opcode, cause });
    }
    this.#channel.headers.setStatus(index, Status.ok);
    this.#steps.answer(index);
  }

  #refuse(index: number, fault: PacketFault): void {
    this.#channel.headers.setStatus(index, fault.status);
    this.#steps.answer(index);
    tellListener(this.#onFault, fault);
  }
}
