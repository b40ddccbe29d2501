import { writeErrorText } from "../call/error_text.ts";
import { errorReport } from "../call/error_report.ts";
import { checkUserOpcode, OPCODE_MAX } from "../memory/opcode.ts";
import { Packet, type PacketWork } from "../memory/packet.ts";
import { checkService, tellListener } from "../memory/sync_result.ts";
import { Status } from "../memory/status.ts";
import { BellWaiter } from "../wait/bell_waiter.ts";
import { NO_GUARD } from "../wait/inbox_waiter.ts";
import { LoopTurns } from "../wait/loop_turns.ts";
import type { WaiterName } from "../wait/strategy.ts";
import type { PacketChannel, PacketMemory } from "./packet_channel.ts";
import type { ServerSteps } from "./packet_steps.ts";

/** Describes a call that failed, to the host. */
export interface PacketFault {
  /** The reason, as the client gets it. */
  readonly status: Status;
  /** The opcode, as the client wrote it. */
  readonly opcode: number;
  /** What the function threw. */
  readonly cause?: unknown;
}

export interface PacketServerOptions {
  /** How it waits for work; `adaptive` when absent. */
  readonly waiter?: WaiterName;
  /**
   * Called for each call that was rejected or failed. An error that it throws ends no call: it is thrown
   * again on the event loop, and becomes an `error` event there, as with any event listener.
   */
  readonly onFault?: (fault: PacketFault) => void;
}

/** A server that sleeps on the channel's doorbell while there is no work. */
export abstract class BellServer {
  readonly #channel: PacketChannel<PacketMemory>;
  readonly #work: BellWaiter;
  readonly #onFault: (fault: PacketFault) => void;

  /** @throws {TypeError} when the waiter's name is unknown */
  protected constructor(
    channel: PacketChannel<PacketMemory>,
    { waiter = "adaptive", onFault = () => {} }: PacketServerOptions,
  ) {
    this.#channel = channel;
    this.#work = new BellWaiter(channel.workBell, waiter);
    this.#onFault = onFault;
  }

  /** Serves at most one call; returns whether there was one. Never waits. */
  abstract runOnce(): boolean;

  /** Serves until the channel is stopped. Blocks. */
  run(): void {
    while (this.#work.wait(() => this.#turn(), NO_GUARD) === "served");
  }

  /** As {@linkcode run}, without blocking the event loop: timers run every few milliseconds. */
  async runAsync(): Promise<void> {
    const turns = new LoopTurns();
    while (await this.#work.waitAsync(() => this.#turn(), NO_GUARD) === "served") {
      if (turns.isDue) await turns.take();
    }
  }

  #turn(): "served" | "stopped" | undefined {
    if (this.#channel.isStopped) return "stopped";
    return this.runOnce() ? "served" : undefined;
  }

  /** Reports a call that failed to the host. */
  protected tell(fault: PacketFault): void {
    tellListener(this.#onFault, fault);
  }
}

/**
 * The passive side, in a protocol that carries one packet there and back. Each worker makes its own; any
 * number of them may serve one channel.
 *
 * | operation | bounded? | blocks? | can it say no? |
 * | --- | --- | --- | --- |
 * | `runOnce` | as its function | as its function | yes |
 * | `run` | no | until the channel is stopped | no |
 */
export class PacketServer extends BellServer {
  readonly #channel: PacketChannel<PacketMemory>;
  readonly #steps: ServerSteps;
  readonly #services = new Map<number, PacketWork>();

  /** @internal By `PacketProtocol.server`. */
  constructor(
    channel: PacketChannel<PacketMemory>,
    steps: ServerSteps,
    options: PacketServerOptions,
  ) {
    super(channel, options);
    this.#channel = channel;
    this.#steps = steps;
  }

  /**
   * Serves an opcode with a function that changes the packet in place; the packet goes back as the answer.
   * Replaces an earlier function. Clients may be running.
   *
   * @throws {RangeError} when the opcode is not an integer from 32768 to 65535
   * @throws {TypeError} when `work` is not a function
   */
  operate(opcode: number, work: PacketWork): void {
    checkUserOpcode(opcode);
    checkService(`opcode ${opcode}`, work);
    this.#services.set(opcode, work);
  }

  runOnce(): boolean {
    const index = this.#steps.tryTake();
    if (index === undefined) return false;
    this.#serveAt(index);
    return true;
  }

  /** The header comes from the other side: reads each word once, and checks it before use. */
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
    this.tell(fault);
  }
}
