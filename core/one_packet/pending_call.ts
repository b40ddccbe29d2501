import { CallError } from "../call/call_error.ts";
import { hasErrorText, readErrorText } from "../call/error_text.ts";
import { assert } from "../memory/assert.ts";
import { Packet, type PacketWork } from "../memory/packet.ts";
import { Status } from "../memory/status.ts";
import type { SyncResult } from "../memory/sync_result.ts";
import { Deadline, type WaitOptions } from "../wait/deadline.ts";
import type { PacketChannel, PacketMemory } from "./packet_channel.ts";
import type { AnswerSteps } from "./packet_steps.ts";
import { Guard } from "../wait/inbox_waiter.ts";

/** Reads the answer of a call. The packet is valid inside this callback only. */
export type AnswerReader<Result> = (packet: Packet) => Result;

/**
 * A call that is under way. Ends once, by its answer or by {@linkcode leave}; using it afterwards is a
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
  readonly #steps: AnswerSteps;
  readonly #opcode: number;
  readonly #packet: Packet;
  #isOpen = true;
  /** Whether an asynchronous wait for the answer is under way. */
  #isAwaited = false;

  /** @internal By a client. */
  constructor(
    channel: PacketChannel<PacketMemory>,
    steps: AnswerSteps,
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
   * @returns whether it was there; then the call is over
   * @throws {CallError} when the server rejected the call or failed; of status `serverGone` when the
   * channel was stopped before the answer came. The call is over then too.
   */
  tryFinish(use: PacketWork): boolean {
    this.#checkOpen();
    if (this.#steps.isAnswered(this.#packet.index)) {
      this.#read(use);
      return true;
    }
    try {
      this.#guard(undefined).check();
    } catch (error) {
      this.#giveUp(error);
    }
    return false;
  }

  /**
   * Waits for the answer and reads it. Blocks. At the deadline it leaves the call, whose packet is freed
   * after the server has answered.
   *
   * @returns what `use` returns
   * @throws as `PacketClient.call`
   */
  finish<Result extends SyncResult>(use: AnswerReader<Result>, options?: WaitOptions): Result {
    this.#checkOpen();
    const guard = this.#guard(options);
    try {
      this.#steps.awaitAnswer(this.#packet.index, guard);
    } catch (error) {
      this.#giveUp(error);
    }
    return this.#read(use);
  }

  /** As {@linkcode finish}, without blocking the event loop. */
  async finishAsync<Result extends SyncResult>(
    use: AnswerReader<Result>,
    options?: WaitOptions,
  ): Promise<Result> {
    this.#checkOpen();
    const guard = this.#guard(options);
    this.#isAwaited = true;
    try {
      await this.#steps.awaitAnswerAsync(this.#packet.index, guard);
      this.#isAwaited = false;
    } catch (error) {
      this.#isAwaited = false;
      this.#giveUp(error);
    }
    return this.#read(use);
  }

  /**
   * Gives up the answer. Bounded; does nothing when the call is over. Not while an asynchronous wait is
   * under way, because the packet could then become another call's: end that by its signal.
   */
  leave(): void {
    if (!this.#isOpen) return;
    this.#checkOpen();
    this.#isOpen = false;
    this.#steps.leave(this.#packet.index);
  }

  /** Two waits would return the packet twice, the second time from another call. */
  #checkOpen(): void {
    assert(this.#isOpen, "the call is under way");
    assert(!this.#isAwaited, "no other wait of the call is under way");
  }

  #guard(options: WaitOptions | undefined): Guard {
    return callGuard(this.#channel, this.#opcode, Deadline.of(options));
  }

  #giveUp(error: unknown): never {
    this.leave();
    throw error;
  }

  #read<Result>(use: AnswerReader<Result>): Result {
    const { index } = this.#packet;
    this.#isOpen = false;
    try {
      const status = this.#channel.headers.status(index);
      if (status !== Status.ok) throw this.#errorOf(status);
      const result = use(this.#packet);
      this.#packet.checkSync(result, "a use");
      return result;
    } finally {
      this.#steps.release(index);
    }
  }

  #errorOf(status: Status): CallError {
    const detail = hasErrorText(status) ? readErrorText(this.#packet) : "";
    return new CallError(status, { opcode: this.#opcode, detail });
  }
}

/**
 * Ends the waits of one call at its deadline, by its signal, or when the channel is stopped.
 *
 * @throws {CallError} by its `check`, of status `serverGone` when the channel was stopped
 */
export function callGuard(
  channel: { readonly isStopped: boolean },
  opcode: number,
  deadline: Deadline | undefined,
): Guard {
  return new Guard(() => {
    if (channel.isStopped) throw new CallError(Status.serverGone, { opcode });
    deadline?.check(`finish the call of opcode ${opcode}`);
  }, deadline);
}
