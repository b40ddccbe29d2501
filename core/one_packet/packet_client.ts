import { Deadline, type WaitOptions } from "../wait/deadline.ts";
import { fullMask, type LaneMask, maskProblem, maskText } from "../memory/lane_mask.ts";
import { checkOpcode } from "../memory/opcode.ts";
import { type CallWork, Packet, type PacketWork } from "../memory/packet.ts";
import { BellWaiter } from "../wait/bell_waiter.ts";
import type { WaiterName } from "../wait/strategy.ts";
import { callGuard, PendingCall } from "./pending_call.ts";
import type { PacketChannel, PacketMemory } from "./packet_channel.ts";
import type { ClientSteps } from "./packet_steps.ts";

/** How a call is made. */
export interface PacketCallOptions extends WaitOptions {
  /** The lanes that take part; all when absent. */
  readonly mask?: LaneMask;
}

export interface PacketClientOptions {
  /** How it waits; `adaptive` when absent. */
  readonly waiter?: WaiterName;
}

/** Opcode and mask of a call, checked. */
interface Head {
  readonly opcode: number;
  readonly mask: LaneMask;
}

/**
 * The side that starts calls, in a protocol that carries one packet there and back. Each worker makes
 * its own; any number of them may use one channel.
 *
 * | operation | bounded? | blocks? | can it say no? |
 * | --- | --- | --- | --- |
 * | `tryPost`, `tryCast` | yes | no | yes |
 * | `cast` | no | until a packet is free | no |
 * | `call` | no | until a packet is free, then until the answer | no |
 */
export class PacketClient {
  readonly #channel: PacketChannel<PacketMemory>;
  readonly #steps: ClientSteps;
  readonly #free: BellWaiter;
  readonly #fullMask: LaneMask;

  /** @internal By `PacketProtocol.client`. */
  constructor(
    channel: PacketChannel<PacketMemory>,
    steps: ClientSteps,
    waiter: WaiterName,
  ) {
    this.#channel = channel;
    this.#steps = steps;
    this.#free = new BellWaiter(channel.freeBell, waiter);
    this.#fullMask = fullMask(channel.layout.laneCount);
  }

  /**
   * Sends a call if a packet is free. Bounded.
   *
   * @returns the call under way; `undefined` when no packet was free, even if one is just being freed
   * @throws {RangeError} when the opcode or the mask is invalid for this channel
   * @throws {CallError} of status `serverGone` when the channel was stopped
   */
  tryPost(
    opcode: number,
    fill: PacketWork,
    options: { readonly mask?: LaneMask } = {},
  ): PendingCall | undefined {
    const head = this.#checkHead(opcode, options.mask);
    callGuard(this.#channel, opcode, undefined).check();
    const index = this.#steps.tryClaim();
    return index === undefined ? undefined : this.#post(index, head, fill);
  }

  /**
   * Sends a call without an answer if a packet is free; returns whether it did. Bounded.
   *
   * @throws as {@linkcode tryPost}
   */
  tryCast(opcode: number, fill: PacketWork, options: { readonly mask?: LaneMask } = {}): boolean {
    const call = this.tryPost(opcode, fill, options);
    call?.leave();
    return call !== undefined;
  }

  /**
   * Sends a call without an answer: the client does not learn how it ended. Blocks until a packet is free.
   *
   * @throws as {@linkcode call}, except for errors of the answer
   */
  cast(opcode: number, fill: PacketWork, options: PacketCallOptions = {}): void {
    const deadline = Deadline.of(options);
    this.#open(this.#checkHead(opcode, options.mask), fill, deadline).leave();
  }

  /**
   * Sends a call and waits for its answer. Blocks.
   *
   * @throws {RangeError} when the opcode, the mask or the timeout is invalid
   * @throws {CallError} when the server refused, failed, or the channel was stopped
   * @throws {DOMException} named `TimeoutError` at the deadline; and the reason of an aborted signal
   */
  call(opcode: number, work: CallWork, options: PacketCallOptions = {}): void {
    const deadline = Deadline.of(options);
    this.#open(this.#checkHead(opcode, options.mask), work.fill, deadline)
      .finish(work.use, deadline);
  }

  /** As {@linkcode call}, without blocking the event loop. */
  async callAsync(
    opcode: number,
    work: CallWork,
    options: PacketCallOptions = {},
  ): Promise<void> {
    const deadline = Deadline.of(options);
    const head = this.#checkHead(opcode, options.mask);
    const guard = callGuard(this.#channel, opcode, deadline);
    const index = await this.#free.waitAsync(() => this.#steps.tryClaim(), guard);
    await this.#post(index, head, work.fill).finishAsync(work.use, deadline);
  }

  #open(head: Head, fill: PacketWork, deadline: Deadline | undefined): PendingCall {
    const guard = callGuard(this.#channel, head.opcode, deadline);
    return this.#post(this.#free.wait(() => this.#steps.tryClaim(), guard), head, fill);
  }

  #post(index: number, { opcode, mask }: Head, fill: PacketWork): PendingCall {
    const packet = new Packet(this.#channel.views);
    try {
      this.#channel.headers.begin(index, opcode, mask);
      packet.aim(index, mask.lo, mask.hi);
      packet.checkSync(fill(packet), "a fill");
    } catch (error) {
      this.#steps.drop(index);
      throw error;
    }
    this.#steps.post(index);
    return new PendingCall(this.#channel, this.#steps, { opcode, packet });
  }

  #checkHead(opcode: number, mask: LaneMask = this.#fullMask): Head {
    checkOpcode(opcode);
    const fault = maskProblem(mask, this.#channel.layout.laneCount);
    if (fault === undefined) return { opcode, mask };
    throw new RangeError(`Cannot make a call with the lane mask ${maskText(mask)} as ${fault}`);
  }
}
