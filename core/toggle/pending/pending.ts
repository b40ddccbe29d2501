import { refusePromise } from "../../memory/sync_result.ts";
import { LoopTurns } from "../../wait/loop_turns.ts";

/** How it is found out whether something is done, and ended when nobody wants it any more. */
export interface PendingSteps<Result> {
  /**
   * One look, without waiting: the result, or `undefined` while there is none; what is thrown is the end,
   * too. Called again and again by the server's thread, between its calls.
   */
  readonly poll: () => Result | undefined;
  /** Ends what goes on; nobody polls after it. Nothing to do when absent. */
  readonly cancel?: (reason: Error) => void;
}

/**
 * What a service returns that cannot answer yet: its call keeps its port, and the server goes on with
 * others. Where a handler may wait for long, as for a message of another process, this lets no other
 * caller wait for it, on a server that blocks as well as on an event loop.
 *
 * Whatever `poll` needs must be its own: the packet that the service worked on is another call's by then.
 * The call ends without an answer, and is cancelled, when its client has left it (after its deadline, for
 * example), when the channel is stopped, and when the server was asked to leave. A shutdown waits for it.
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
 * const served = server.serveAsync();
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

  /** Begins nothing: what is under way was begun before. */
  constructor(steps: PendingSteps<Result>) {
    this.#steps = steps;
  }

  /**
   * The result, or `undefined` while there is none; not to be called after either end.
   *
   * @throws what the step throws, and {@linkcode TypeError} when it returns a promise
   */
  poll(): Result | undefined {
    const result = this.#steps.poll();
    refusePromise(result, "a poll of a Pending");
    return result;
  }

  /** Ends it without a result. What the step throws is dropped: the reason goes before it. */
  cancel(reason: Error): void {
    try {
      this.#steps.cancel?.(reason);
    } catch {
      // Others that go on with it have to be cancelled, too.
    }
  }

  /**
   * As a promise, with a look at every turn of the event loop.
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

  /** The same with another result. */
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
   * Several under way at once, done when all are. When one fails, the others are cancelled.
   *
   * @param parts pending ones, and results that are there already
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
