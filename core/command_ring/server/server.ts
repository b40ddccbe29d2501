import { errorReport } from "../../call/error_report.ts";
import { checkService, refusePromise, tellListener } from "../../memory/sync_result.ts";
import { Status } from "../../memory/status.ts";
import type { PacketChannel } from "../../one_packet/packet_channel.ts";
import type { PacketFault, PacketServerOptions } from "../../one_packet/packet_server.ts";
import { BellWaiter } from "../../wait/bell_waiter.ts";
import type { WaitGuard } from "../../wait/inbox_waiter.ts";
import { CommandNames } from "../command_names.ts";
import type { RingLayout } from "../layout.ts";
import { NO_SLOT, type Outcome, ReturnSlots } from "../return_slots.ts";
import { CommandReader, type ReadCommand } from "./command_reader.ts";

/** Serves a command. The bytes are its own. What is returned counts modulo 2 to the 64. */
export type CommandWork = (bytes: Uint8Array) => number | bigint;

const NO_LIMIT: WaitGuard = { check: () => {}, leftMilliseconds: Infinity };

/**
 * The host of a ring. There must be one at a time: two would swap each other's buffers.
 *
 * | operation | bounded? | blocks? | can it say no? |
 * | --- | --- | --- | --- |
 * | `register` | yes | no | no |
 * | `serveOnce` | as its function | as its function | yes |
 * | `tear` | yes | no | no |
 * | `serve` | no | until the ring is stopped | no |
 *
 * @example
 * ```ts
 * import { Channel } from "../channel.ts";
 * import { Server } from "./server.ts";
 * const server = new Server(Channel.create({ slotCount: 1, cellCount: 8 }));
 * server.register("time", () => Date.now());
 * if (server.serveOnce()) throw new Error("nobody called");
 * ```
 */
export class Server {
  readonly #channel: PacketChannel<RingLayout>;
  readonly #names: CommandNames;
  readonly #reader: CommandReader;
  readonly #slots: ReturnSlots;
  readonly #work: BellWaiter;
  readonly #onFault: (fault: PacketFault) => void;
  readonly #services = new Map<number, CommandWork>();

  /** @throws {TypeError} when no waiter has the name */
  constructor(channel: PacketChannel<RingLayout>, options: PacketServerOptions = {}) {
    this.#channel = channel;
    this.#names = new CommandNames(channel.words, channel.layout);
    this.#reader = new CommandReader(channel);
    this.#slots = new ReturnSlots(channel);
    this.#work = new BellWaiter(channel.workBell, options.waiter ?? "adaptive");
    this.#onFault = options.onFault ?? (() => {});
  }

  /**
   * Serves a name, in place of an earlier function. Clients may be running: they find the name from
   * now on. Bounded.
   *
   * @throws {RangeError} when there are 64 names already, or the name has no byte, more than 64, or a zero
   * @throws {TypeError} when what is to serve it is no function
   */
  register(name: string, work: CommandWork): void {
    checkService(name, work);
    this.#services.set(this.#names.add(name), work);
  }

  /** Serves at most one command; returns whether there was one. Never waits. */
  serveOnce(): boolean {
    const command = this.#reader.tryRead();
    if (command === undefined) return false;
    this.#serve(command);
    return true;
  }

  /**
   * Gives up on the commands that hold the next ones up, because their writers are not done: to those
   * that come to their end after all it is said that theirs is torn. A buffer in which a writer never
   * does so is not used again; then clients find the ring full, and it is time to stop it. Bounded.
   *
   * @returns how many cells were given up
   */
  tear(): number {
    return this.#reader.tear();
  }

  /** Serves until the ring is stopped. Blocks. */
  serve(): void {
    while (this.#work.wait(() => this.#turn(), NO_LIMIT) === "served");
  }

  #turn(): "served" | "stopped" | undefined {
    if (this.#channel.isStopped) return "stopped";
    return this.serveOnce() ? "served" : undefined;
  }

  #serve({ id, bytes, slot }: ReadCommand): void {
    const work = this.#services.get(id);
    if (!work) return this.#end(slot, { status: Status.unhandledOpcode, opcode: id });
    let result: number | bigint;
    try {
      result = work(bytes);
      refusePromise(result, "a function");
      this.#answer(slot, { status: Status.ok, result: BigInt(result) });
    } catch (cause) {
      this.#end(slot, { status: Status.handlerFailed, opcode: id, cause });
    }
  }

  #end(slot: number, fault: PacketFault): void {
    const { status, cause } = fault;
    const text = cause === undefined ? "" : errorReport(cause).message;
    this.#answer(slot, { status, result: 0n, ...cause === undefined ? {} : { text } });
    tellListener(this.#onFault, fault);
  }

  /** A slot that is none is the client's mistake: nobody waits there. */
  #answer(slot: number, outcome: Outcome): void {
    if (slot !== NO_SLOT) this.#slots.answer(slot, outcome);
  }
}
