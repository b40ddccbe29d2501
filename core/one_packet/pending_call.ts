import { CallError } from "../call/call_error.ts";
import { hasErrorText, readErrorText } from "../call/error_text.ts";
import { assert } from "../memory/assert.ts";
import { Packet, type PacketWork } from "../memory/packet.ts";
import { Status } from "../memory/status.ts";
import { Deadline, type WaitOptions } from "../wait/deadline.ts";
import { CallGuard } from "./call_guard.ts";
import type { PacketChannel, PacketMemory } from "./packet_channel.ts";
import type { ClientSteps } from "./packet_steps.ts";

/**
 * A call that is under way. Ends once, by an answer or by {@linkcode leave}; using it afterwards is a
 * broken invariant.
 *
 * | operation | bounded? | blocks? | can it say no? |
 * | --- | --- | --- | --- |
 * | `tryFinish` | yes | no | yes |
 * | `finish` | no | until the answer | no |
 * | `leave` | yes | no | no |
 */
export class PendingCall {
  readonly #channel: PacketChannel<PacketMemory>;
  readonly #steps: ClientSteps;
  readonly #opcode: number;
  readonly #packet: Packet;
  #isOpen = true;
  /** An asynchronous wait for the answer is under way. */
  #isAwaited = false;

  /** @internal By `PacketClient`. */
  constructor(
    channel: PacketChannel<PacketMemory>,
    steps: ClientSteps,
    call: { readonly opcode: number; readonly packet: Packet },
  ) {
    this.#channel = channel;
    this.#steps = steps;
    this.#opcode = call.opcode;
    this.#packet = call.packet;
  }

  /**
   * Reads the answer if it is there. Bounded.
   *
   * @returns whether it was there, and the call is over
   * @throws {CallError} when the server refused or failed: the call is over, too; of status
   * `serverGone` when the channel was stopped before an answer came
   */
  tryFinish(use: PacketWork): boolean {
    this.#checkOpen();
    if (this.#steps.isAnswered(this.#packet.index)) {
      this.#read(use);
      return true;
    }
    this.#unlessLeft(() => new CallGuard(this.#channel, this.#head(undefined)).check());
    return false;
  }

  /**
   * Waits for the answer and reads it. Blocks. At the deadline the call is left: its packet is freed
   * when the server has answered.
   *
   * @throws as `PacketClient.call`
   */
  finish(use: PacketWork, options?: WaitOptions): void {
    this.#checkOpen();
    const guard = new CallGuard(this.#channel, this.#head(Deadline.of(options)));
    this.#unlessLeft(() => this.#steps.awaitAnswer(this.#packet.index, guard));
    this.#read(use);
  }

  /** As {@linkcode finish}, without blocking the event loop. */
  async finishAsync(use: PacketWork, options?: WaitOptions): Promise<void> {
    this.#checkOpen();
    const guard = new CallGuard(this.#channel, this.#head(Deadline.of(options)));
    this.#isAwaited = true;
    try {
      await this.#steps.awaitAnswerAsync(this.#packet.index, guard);
      this.#isAwaited = false;
    } catch (error) {
      this.#isAwaited = false;
      this.leave();
      throw error;
    }
    this.#read(use);
  }

  /**
   * Gives the answer up: nobody will read it. Bounded; nothing when the call is over. A wait that is under
   * way is ended by its signal: until then this is refused, as the packet would be another call's.
   */
  leave(): void {
    if (!this.#isOpen) return;
    this.#checkOpen();
    this.#isOpen = false;
    this.#steps.leave(this.#packet.index);
  }

  /** Two waits would return the packet twice, and the second another call's. */
  #checkOpen(): void {
    assert(this.#isOpen, "the call is under way");
    assert(!this.#isAwaited, "no other wait of the call is under way");
  }

  #head(deadline: Deadline | undefined) {
    return { opcode: this.#opcode, deadline };
  }

  #unlessLeft(wait: () => void): void {
    try {
      wait();
    } catch (error) {
      this.leave();
      throw error;
    }
  }

  #read(use: PacketWork): void {
    const { index } = this.#packet;
    this.#isOpen = false;
    try {
      const status = this.#channel.headers.status(index);
      if (status !== Status.ok) throw this.#errorOf(status as Status);
      this.#packet.checkSync(use(this.#packet), "a use");
    } finally {
      this.#steps.release(index);
    }
  }

  #errorOf(status: Status): CallError {
    const detail = hasErrorText(status) ? readErrorText(this.#packet) : "";
    return new CallError(status, { opcode: this.#opcode, detail });
  }
}
