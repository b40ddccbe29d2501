import { checkByteArray } from "../../call/byte_array.ts";
import { CallError } from "../../call/call_error.ts";
import { Status } from "../../memory/status.ts";
import { CallGuard } from "../../one_packet/call_guard.ts";
import type { PacketChannel } from "../../one_packet/packet_channel.ts";
import { BellWaiter } from "../../wait/bell_waiter.ts";
import { Deadline, type WaitOptions } from "../../wait/deadline.ts";
import { InboxWaiter } from "../../wait/inbox_waiter.ts";
import type { WaiterName } from "../../wait/strategy.ts";
import { CommandNames } from "../command_names.ts";
import { cellsOf, CommandWriter } from "../command_writer.ts";
import { COMMAND_CELLS_MAX, type RingLayout } from "../layout.ts";
import { NO_SLOT, ReturnSlots } from "../return_slots.ts";
import { PendingResult, type ResultPlace } from "./pending_result.ts";

/** Why a command was not sent. */
export type NotSent =
  /** Every return slot is taken. */
  | { readonly kind: "noSlot" }
  /** The current buffer has no room: the host swaps when it has drained the other. */
  | { readonly kind: "bufferFull" }
  /** The host gave this command up while it was written: it will not be served. */
  | { readonly kind: "torn" }
  /** The host has registered no such name yet. */
  | { readonly kind: "unresolved" };

/** What became of a command. */
export type SubmitResult = NotSent | { readonly kind: "sent"; readonly call: PendingResult };

const NO_DEADLINE = undefined;

/**
 * The side that starts. One per worker; any number of workers may have one on the same ring.
 *
 * | operation | bounded? | blocks? | can it say no? |
 * | --- | --- | --- | --- |
 * | `resolve`, `trySubmit`, `tryCast` | yes | no | yes |
 * | `call` | no | until there is a slot and room, then until the result | no |
 *
 * @example
 * ```ts
 * import { Channel } from "../channel.ts";
 * import { Client } from "./client.ts";
 * const client = new Client(Channel.create({ slotCount: 1, cellCount: 1 }));
 * const { kind } = client.trySubmit("time", new Uint8Array());
 * if (kind !== "unresolved") throw new Error("there is no host");
 * ```
 */
export class Client {
  readonly #channel: PacketChannel<RingLayout>;
  readonly #names: CommandNames;
  readonly #writer: CommandWriter;
  readonly #place: ResultPlace;
  readonly #free: BellWaiter;
  /** Names that were found: a name keeps its id. */
  readonly #ids = new Map<string, number>();

  /** @throws {TypeError} when no waiter has the name */
  constructor(
    channel: PacketChannel<RingLayout>,
    { waiter = "adaptive" }: { readonly waiter?: WaiterName } = {},
  ) {
    const { words, layout } = channel;
    this.#channel = channel;
    this.#names = new CommandNames(words, layout);
    this.#writer = new CommandWriter(channel);
    this.#free = new BellWaiter(channel.freeBell, waiter);
    const boxes = { inboxWord: layout.slotStateWord, parkedWord: layout.parkedWord };
    const slotWaiter = new InboxWaiter(words, boxes, waiter);
    this.#place = { channel, slots: new ReturnSlots(channel), waiter: slotWaiter };
  }

  /**
   * The id of a command, or `undefined` while the host has not registered its name. Bounded.
   *
   * @throws {RangeError} when the name has no byte, more than 64, or a zero
   */
  resolve(name: string): number | undefined {
    const known = this.#ids.get(name);
    if (known !== undefined) return known;
    const id = this.#names.find(name);
    if (id !== undefined) this.#ids.set(name, id);
    return id;
  }

  /**
   * Sends a command if there is a slot for its result and room for it. Bounded.
   *
   * @throws {RangeError} when the command can never fit: beyond the buffer or 128 KiB
   * @throws {TypeError} when the bytes are no `Uint8Array`
   * @throws {CallError} of status `serverGone` when the ring was stopped
   */
  trySubmit(name: string, bytes: Uint8Array): SubmitResult {
    const id = this.#begin(name, bytes);
    if (id === undefined) return { kind: "unresolved" };
    // Before the slot: one that is given back wakes who waits, this client too if it waits for room.
    if (!this.#writer.hasRoom(bytes)) return { kind: "bufferFull" };
    const { slots } = this.#place;
    const slot = slots.tryAcquire();
    if (slot === undefined) return { kind: "noSlot" };
    const kind = this.#writer.tryWrite({ id, bytes, slot });
    if (kind === "sent") return { kind, call: new PendingResult(this.#place, { slot, id }) };
    slots.free(slot);
    return { kind };
  }

  /** An asynchronous command: it takes no slot, and nobody learns its result. Throws as `trySubmit`. */
  tryCast(name: string, bytes: Uint8Array): "sent" | NotSent["kind"] {
    const id = this.#begin(name, bytes);
    if (id === undefined) return "unresolved";
    if (!this.#writer.hasRoom(bytes)) return "bufferFull";
    return this.#writer.tryWrite({ id, bytes, slot: NO_SLOT });
  }

  /**
   * Sends a command and waits for its result. Blocks.
   *
   * @returns what the host's function returned, modulo 2 to the 64
   * @throws {RangeError} as {@linkcode trySubmit}, or when a timeout is no time
   * @throws {CallError} when the name is not registered, the host failed, or the ring was stopped
   * @throws {DOMException} named `TimeoutError` at the deadline; and the reason of an aborted signal
   */
  call(name: string, bytes: Uint8Array, options?: WaitOptions): bigint {
    const deadline = Deadline.of(options);
    const call = this.#free.wait(() => this.#attempt(name, bytes), this.#guard(deadline));
    return call.take(deadline);
  }

  /** As {@linkcode call}, without blocking the event loop. */
  async callAsync(name: string, bytes: Uint8Array, options?: WaitOptions): Promise<bigint> {
    const deadline = Deadline.of(options);
    const attempt = () => this.#attempt(name, bytes);
    const call = await this.#free.waitAsync(attempt, this.#guard(deadline));
    return await call.takeAsync(deadline);
  }

  /** Sends; after a command that was torn, at once again. */
  #attempt(name: string, bytes: Uint8Array): PendingResult | undefined {
    for (;;) {
      const sent = this.trySubmit(name, bytes);
      if (sent.kind === "sent") return sent.call;
      if (sent.kind === "unresolved") {
        throw new CallError(Status.unhandledOpcode, { opcode: -1, detail: name });
      }
      if (sent.kind !== "torn") return undefined;
    }
  }

  #begin(name: string, bytes: Uint8Array): number | undefined {
    checkByteArray(bytes);
    const cellsMax = Math.min(this.#channel.layout.cellCount, COMMAND_CELLS_MAX);
    if (cellsOf(bytes.length) > cellsMax) {
      throw new RangeError(
        `Cannot send the command as it must fit into ${cellsMax} cells of 64 bytes: its bytes are ${bytes.length}`,
      );
    }
    this.#guard(NO_DEADLINE).check();
    return this.resolve(name);
  }

  #guard(deadline: Deadline | undefined): CallGuard {
    return new CallGuard(this.#channel, { opcode: -1, deadline });
  }
}
