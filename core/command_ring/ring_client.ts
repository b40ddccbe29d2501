import { checkByteArray } from "../call/message.ts";
import { CallError } from "../call/call_error.ts";
import { Status } from "../memory/status.ts";
import { type AnswerReader, callGuard, PendingCall } from "../one_packet/pending_call.ts";
import type { PacketChannel } from "../one_packet/packet_channel.ts";
import { BellWaiter } from "../wait/bell_waiter.ts";
import { Deadline, type WaitOptions } from "../wait/deadline.ts";
import type { Guard } from "../wait/inbox_waiter.ts";
import type { WaiterName } from "../wait/strategy.ts";
import { CommandNames } from "./command_names.ts";
import { cellsOf, CommandWriter } from "./command_writer.ts";
import { COMMAND_CELLS_MAX, type RingLayout } from "./layout.ts";
import { NO_SLOT, ReturnSlots } from "./return_slots.ts";

/** The reason why a command was not sent. */
export type NotSent =
  /** Every return slot is taken. */
  | { readonly kind: "noSlot" }
  /** The current buffer has no room. The host swaps when it has drained the other. */
  | { readonly kind: "bufferFull" }
  /** The host gave up this command while it was written. It will not be served. */
  | { readonly kind: "torn" }
  /** The host has not registered this name yet. */
  | { readonly kind: "unresolved" };

/** The outcome of sending a command; `RingClient.resultOf` reads the result of the call. */
export type SubmitResult = NotSent | { readonly kind: "sent"; readonly call: PendingCall };

/**
 * The side that starts calls. Each worker makes its own; any number of them may use one ring.
 *
 * | operation | bounded? | blocks? | can it say no? |
 * | --- | --- | --- | --- |
 * | `resolve`, `trySubmit`, `tryCast` | yes | no | yes |
 * | `call` | no | until there is a slot and room, then until the result | no |
 */
export class RingClient {
  /** What `PendingCall.finish` takes: reads the result of a call. */
  readonly resultOf: AnswerReader<bigint>;
  readonly #channel: PacketChannel<RingLayout>;
  readonly #names: CommandNames;
  readonly #writer: CommandWriter;
  readonly #slots: ReturnSlots;
  readonly #free: BellWaiter;
  /** The names that were found. A name keeps its id. */
  readonly #ids = new Map<string, number>();

  /** @throws {TypeError} when the waiter's name is unknown */
  constructor(
    channel: PacketChannel<RingLayout>,
    { waiter = "adaptive" }: { readonly waiter?: WaiterName } = {},
  ) {
    const { words, layout } = channel;
    this.#channel = channel;
    this.#names = new CommandNames(words, layout);
    this.#writer = new CommandWriter(channel);
    this.#free = new BellWaiter(channel.freeBell, waiter);
    this.#slots = new ReturnSlots(channel, waiter);
    this.resultOf = this.#slots.resultOf;
  }

  /**
   * The id of a command, or `undefined` while the host has not registered its name. Bounded.
   *
   * @throws {RangeError} when the name is empty, has more than 64 bytes or contains a zero
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
   * @throws {RangeError} when the command can never fit, because it is larger than the buffer or 128 KiB
   * @throws {TypeError} when the bytes are not a `Uint8Array`
   * @throws {CallError} of status `serverGone` when the ring was stopped
   */
  trySubmit(name: string, bytes: Uint8Array): SubmitResult {
    const id = this.#begin(name, bytes);
    if (id === undefined) return { kind: "unresolved" };
    // Before the slot. A slot that is given back wakes all that wait, and so a client waiting for room
    // would wake itself.
    if (!this.#writer.hasRoom(bytes)) return { kind: "bufferFull" };
    const slots = this.#slots;
    const slot = slots.tryAcquire();
    if (slot === undefined) return { kind: "noSlot" };
    const kind = this.#writer.tryWrite({ id, bytes, slot });
    if (kind !== "sent") {
      slots.release(slot);
      return { kind };
    }
    const head = { opcode: id, packet: slots.packet(slot) };
    return { kind, call: new PendingCall(this.#channel, slots, head) };
  }

  /**
   * Sends a command without a result, which takes no slot. Bounded.
   *
   * @throws as {@linkcode trySubmit}
   */
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
   * @throws {RangeError} as {@linkcode trySubmit}, or when the timeout is negative or not a number
   * @throws {CallError} when the name is not registered, the host failed, or the ring was stopped
   * @throws {DOMException} named `TimeoutError` at the deadline; and the reason of an aborted signal
   */
  call(name: string, bytes: Uint8Array, options?: WaitOptions): bigint {
    const deadline = Deadline.of(options);
    const call = this.#free.wait(() => this.#attempt(name, bytes), this.#guard(deadline));
    return call.finish(this.resultOf, deadline);
  }

  /** As {@linkcode call}, without blocking the event loop. */
  async callAsync(name: string, bytes: Uint8Array, options?: WaitOptions): Promise<bigint> {
    const deadline = Deadline.of(options);
    const attempt = () => this.#attempt(name, bytes);
    const call = await this.#free.waitAsync(attempt, this.#guard(deadline));
    return await call.finishAsync(this.resultOf, deadline);
  }

  /** Sends a command, again and again while it is torn. */
  #attempt(name: string, bytes: Uint8Array): PendingCall | undefined {
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
    this.#guard(undefined).check();
    return this.resolve(name);
  }

  #guard(deadline: Deadline | undefined): Guard {
    return callGuard(this.#channel, -1, deadline);
  }
}
