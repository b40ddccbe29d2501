import { errorReport } from "../call/error_report.ts";
import { checkService, refusePromise } from "../memory/sync_result.ts";
import { Status } from "../memory/status.ts";
import {
  BellServer,
  type PacketFault,
  type PacketServerOptions,
} from "../one_packet/packet_server.ts";
import type { PacketChannel } from "../one_packet/packet_channel.ts";
import { CommandNames } from "./command_names.ts";
import type { RingLayout } from "./layout.ts";
import { NO_SLOT, type Outcome, ReturnSlots } from "./return_slots.ts";
import { CommandReader, type ReadCommand } from "./command_reader.ts";

/** Serves a command. The bytes are a copy. The result is taken modulo 2 to the 64. */
export type CommandWork = (bytes: Uint8Array) => number | bigint;

/**
 * The host of a ring. There must be only one at a time: two would swap each other's buffers.
 *
 * | operation | bounded? | blocks? | can it say no? |
 * | --- | --- | --- | --- |
 * | `register` | yes | no | no |
 * | `runOnce` | as its function | as its function | yes |
 * | `tear` | yes | no | no |
 * | `run` | no | until the ring is stopped | no |
 */
export class RingServer extends BellServer {
  readonly #names: CommandNames;
  readonly #reader: CommandReader;
  readonly #slots: ReturnSlots;
  readonly #services = new Map<number, CommandWork>();

  /** @throws {TypeError} when the waiter's name is unknown */
  constructor(channel: PacketChannel<RingLayout>, options: PacketServerOptions = {}) {
    super(channel, options);
    this.#names = new CommandNames(channel.words, channel.layout);
    this.#reader = new CommandReader(channel);
    this.#slots = new ReturnSlots(channel, options.waiter ?? "adaptive");
  }

  /**
   * Serves the commands of a name. Replaces an earlier function. Clients may be running; they find the
   * name from now on. Bounded.
   *
   * @throws {RangeError} when there are already 64 names, or the name is empty, has more than 64 bytes or
   * contains a zero
   * @throws {TypeError} when `work` is not a function
   */
  register(name: string, work: CommandWork): void {
    checkService(name, work);
    this.#services.set(this.#names.add(name), work);
  }

  runOnce(): boolean {
    const command = this.#reader.tryRead();
    if (command === undefined) return false;
    this.#serve(command);
    return true;
  }

  /**
   * Gives up on unfinished commands that hold up the next ones. Writers that finish after all find their
   * commands torn. If one never does, its buffer is not used again; clients then find the ring full, and
   * it is time to stop it. Bounded.
   *
   * @returns the number of cells that were given up
   */
  tear(): number {
    return this.#reader.tear();
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
    this.tell(fault);
  }

  /** A slot that does not exist is the client's mistake: no one waits there. */
  #answer(slot: number, outcome: Outcome): void {
    if (slot !== NO_SLOT) this.#slots.answer(slot, outcome);
  }
}
