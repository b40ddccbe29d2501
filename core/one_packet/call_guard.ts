import { CallError } from "../call/call_error.ts";
import { Status } from "../memory/status.ts";
import type { Deadline } from "../wait/deadline.ts";
import type { WaitGuard } from "../wait/inbox_waiter.ts";

/** Ends the waits of one call: at its deadline, by its signal, or when the channel is stopped. */
export class CallGuard implements WaitGuard {
  readonly #channel: { readonly isStopped: boolean };
  readonly #opcode: number;
  readonly #deadline: Deadline | undefined;

  constructor(
    channel: { readonly isStopped: boolean },
    call: { readonly opcode: number; readonly deadline: Deadline | undefined },
  ) {
    this.#channel = channel;
    this.#opcode = call.opcode;
    this.#deadline = call.deadline;
  }

  get leftMilliseconds(): number {
    return this.#deadline?.leftMilliseconds ?? Infinity;
  }

  get signal(): AbortSignal | undefined {
    return this.#deadline?.signal;
  }

  /**
   * @throws {CallError} of status `serverGone` when the channel was stopped
   * @throws as `Deadline.check`
   */
  check(): void {
    if (this.#channel.isStopped) {
      throw new CallError(Status.serverGone, { opcode: this.#opcode });
    }
    this.#deadline?.check(`finish the call of opcode ${this.#opcode}`);
  }
}
