import { refusePromise } from "../../memory/sync_result.ts";
import { LoopTurns } from "../../wait/loop_turns.ts";

/** How to find out whether something is done, and how to cancel it. */
export interface PendingSteps<Result> {
  /**
   * Looks once, without waiting. Returns the result, or `undefined` while there is none; a throw ends the
   * work, too. The server's thread calls it again and again, between its calls.
   */
  readonly poll: () => Result | undefined;
  /** Cancels the work; it is not polled afterwards. Absent where there is nothing to cancel. */
  readonly cancel?: (reason: Error) => void;
}

/**
 * What a service returns when it cannot answer yet: the call keeps its port, and the server goes on to
 * serve others. Use it where a handler may wait for long, such as for a message of another process: no
 * other caller is held up, whether the server blocks or runs on an event loop.
 *
 * `poll` must have its own copy of whatever it needs: by then the packet that the service worked on
 * belongs to another call. The call is cancelled, and ends without an answer, when its client leaves it
 * (after its deadline, for example), when the channel is stopped, or when the server is asked to leave.
 * A shutdown waits for it.
 *
 * @example
 * ```ts
 * import { Channel, Client, type Packet, Pending, Server } from "../../mod.ts";
 * const channel = Channel.create({ portCount: 4, laneCount: 1 });
 * const server = new Server(channel);
 * let message: number | undefined;
 * server.operate(40_000, () => // answers when there is a message
 *   new Pending({
 *     poll: () => message && ((packet: Packet) => packet.setUint32(0, 0, message!)),
 *   }));
 * server.operate(40_001, (packet) => void (message = packet.getUint32(0, 0)));
 * const served = server.runAsync();
 * const client = new Client(channel);
 * let answer = 0;
 * const waiting = client.callAsync(40_000, {
 *   fill: () => {},
 *   use: (packet) => answer = packet.getUint32(0, 0),
 * });
 * await client.callAsync(40_001, { fill: (packet) => packet.setUint32(0, 0, 7), use: () => {} });
 * await waiting;
 * if (answer !== 7) throw new Error("what the second call brought");
 * channel.shutDown();
 * await served;
 * ```
 */
export class Pending<Result = unknown> {
  readonly #steps: PendingSteps<Result>;

  /** Starts nothing: takes the steps of work that was started before. */
  constructor(steps: PendingSteps<Result>) {
    this.#steps = steps;
  }

  /**
   * Returns the result, or `undefined` while there is none. Do not call it after it has returned a result
   * or thrown.
   *
   * @throws what the step throws, and {@linkcode TypeError} when it returns a promise
   */
  poll(): Result | undefined {
    const result = this.#steps.poll();
    refusePromise(result, "a poll of a Pending");
    return result;
  }

  /** Cancels the work. What the step throws is ignored, as the reason for the cancellation matters more. */
  cancel(reason: Error): void {
    try {
      this.#steps.cancel?.(reason);
    } catch {
      // The other parts of the work still have to be cancelled.
    }
  }

  /**
   * Returns a promise of the result, for which it polls at every turn of the event loop.
   *
   * @throws the signal's reason, after the cancellation
   */
  async settled(signal: AbortSignal): Promise<Result> {
    const turns = new LoopTurns();
    for (;;) {
      const result = this.poll();
      if (result !== undefined) return result;
      await turns.take();
      if (!signal.aborted) continue;
      this.cancel(signal.reason);
      throw signal.reason;
    }
  }

  /** The same work with another result. */
  map<Other>(use: (result: Result) => Other): Pending<Other> {
    return new Pending<Other>({
      poll: () => {
        const result = this.poll();
        return result === undefined ? undefined : use(result);
      },
      cancel: (reason) => this.cancel(reason),
    });
  }

  /**
   * Joins several that are under way at once: done when all are. When one fails, the others are cancelled.
   *
   * @param parts pending ones, or results that are already there
   */
  static all<Result>(parts: readonly (Result | Pending<Result>)[]): Pending<readonly Result[]> {
    return new Pending(new PendingParts([...parts]));
  }
}

class PendingParts<Result> implements PendingSteps<readonly Result[]> {
  readonly #parts: (Result | Pending<Result>)[];

  constructor(parts: (Result | Pending<Result>)[]) {
    this.#parts = parts;
  }

  poll = (): readonly Result[] | undefined => {
    let isDone = true;
    for (const [index, part] of this.#parts.entries()) {
      if (!(part instanceof Pending)) continue;
      const result = this.#pollPart(part);
      if (result === undefined) isDone = false;
      else this.#parts[index] = result;
    }
    return isDone ? this.#parts as Result[] : undefined;
  };

  cancel = (reason: Error): void => {
    for (const part of this.#parts) if (part instanceof Pending) part.cancel(reason);
  };

  #pollPart(part: Pending<Result>): Result | undefined {
    try {
      return part.poll();
    } catch (error) {
      this.#parts.splice(this.#parts.indexOf(part), 1);
      this.cancel(new Error("Another lane of the call has failed"));
      throw error;
    }
  }
}
