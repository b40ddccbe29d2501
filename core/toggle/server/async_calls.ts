import { Packet } from "../../memory/packet.ts";
import { NO_REPLY } from "../../memory/port_headers.ts";
import { Status } from "../../memory/status.ts";
import { Deadline } from "../../wait/deadline.ts";
import { ChannelState } from "../layout.ts";
import { ServerPort } from "./server_port.ts";
import type { ServerSide } from "./server_side.ts";
import type { AsyncHandler, AsyncPacketWork, AsyncService } from "./service_table.ts";

/** How often the calls that run are looked at: so late may a deadline or an abort be noticed. */
const LOOK_MILLISECONDS = 10;

/** How a call ends, for the client. */
export interface CallEnd {
  /** Gives the packet back with bad news, and returns the port. */
  refuse(index: number, packet: Packet, news: BadNews): void;
  /** As `refuse`, for a call that went through a port object, which is closed. */
  failPort(port: ServerPort, news: BadNews): void;
}

/** Why a call ends without a reply. */
export interface BadNews {
  /** Found out from the cause when absent. */
  readonly status?: Status;
  readonly cause?: unknown;
}

/**
 * The asynchronous handlers of a server that run, each with its port. Internal; users have `Server`.
 *
 * The synchronous path knows nothing of them: their ports are locked, so that no search finds them.
 */
export class AsyncCalls {
  readonly #side: ServerSide;
  readonly #end: CallEnd;
  readonly #running = new Map<RunningCall, Promise<void>>();
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(side: ServerSide, end: CallEnd) {
    this.#side = side;
    this.#end = end;
  }

  /** Whether a handler runs. */
  get isBusy(): boolean {
    return this.#running.size > 0;
  }

  /** Settles when no handler runs any more: each ends by itself or at its deadline. */
  async idle(): Promise<void> {
    while (this.isBusy) await Promise.all(this.#running.values());
  }

  /** Starts the handler of a call whose port was just claimed. */
  start(index: number, service: AsyncService): void {
    const isAwaited = !(this.#side.opcodeWord(index) & NO_REPLY);
    const call = new RunningCall(index, { isAwaited, timeoutSeconds: service.timeoutSeconds });
    const { operate, handler } = service;
    this.#track(call, operate ? this.#operate(call, operate) : this.#handle(call, handler!));
  }

  /** Counts in what has still to be done for a call whose handler has ended. */
  finish(index: number, end: Promise<void>): void {
    const call = new RunningCall(index, { isAwaited: false, timeoutSeconds: Infinity });
    this.#track(call, end);
  }

  #track(call: RunningCall, end: Promise<void>): void {
    this.#running.set(call, end.finally(() => this.#forget(call)));
    this.#timer ??= setInterval(() => this.#look(), LOOK_MILLISECONDS);
  }

  #forget(call: RunningCall): void {
    this.#running.delete(call);
    if (this.isBusy) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /**
   * The handler works on a copy, which is written back when it ends in time: what a late one writes,
   * through whatever view, reaches nobody, and neither can the client change it meanwhile.
   */
  async #operate(call: RunningCall, operate: AsyncPacketWork): Promise<void> {
    const packet = new Packet(this.#side.views);
    this.#side.aim(packet, call.index);
    const memory = packet.uint32;
    packet.detach();
    packet.uint32.set(memory);
    const { signal } = call;
    try {
      await call.limit(async () => await operate(packet, { signal }));
    } catch (cause) {
      return this.#refuse(call, { ...call.lateStatus, cause });
    }
    memory.set(packet.uint32);
    this.#side.handBack(call.index);
  }

  #refuse(call: RunningCall, news: BadNews): void {
    const packet = new Packet(this.#side.views);
    this.#side.aim(packet, call.index);
    this.#end.refuse(call.index, packet, news);
  }

  async #handle(call: RunningCall, handler: AsyncHandler): Promise<void> {
    const port = new ServerPort<"fresh">(this.#side);
    port.begin(call.index);
    const { signal } = call;
    let news: BadNews | undefined;
    try {
      await call.limit(async () => await handler(port, { signal }));
    } catch (cause) {
      news = { ...call.lateStatus, cause };
    }
    await port.endWaits();
    if (news) this.#end.failPort(port, news);
    port[Symbol.dispose]();
    port.detach();
  }

  #look(): void {
    const { channel } = this.#side;
    const isWanted = this.#side.mayStay();
    const isStopped = channel.state === ChannelState.stopped;
    for (const call of this.#running.keys()) {
      if (!isWanted) call.abort("The server was asked to leave");
      else if (isStopped) call.abort("The channel was stopped");
      else if (call.isAwaited && !this.#side.isClientThere(call.index)) {
        call.abort("The client left the call");
      }
      call.checkTime();
    }
  }
}

/** One handler that runs. */
class RunningCall {
  readonly index: number;
  /** Whether a client waits for the end of the call. */
  readonly isAwaited: boolean;
  readonly #deadline: Deadline;
  readonly #controller = new AbortController();
  readonly #late = Promise.withResolvers<never>();
  #isLate = false;

  constructor(
    index: number,
    options: { readonly isAwaited: boolean; readonly timeoutSeconds: number },
  ) {
    this.index = index;
    this.isAwaited = options.isAwaited;
    this.#deadline = new Deadline(options);
    this.#late.promise.catch(() => {});
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The status of a call whose time was over. */
  get lateStatus(): BadNews {
    return this.#isLate ? { status: Status.handlerLate } : {};
  }

  /** Settles as the work does, or rejects at the deadline. */
  async limit(work: () => Promise<unknown>): Promise<void> {
    await Promise.race([work(), this.#late.promise]);
  }

  abort(why: string): void {
    if (!this.signal.aborted) this.#controller.abort(new DOMException(why, "AbortError"));
  }

  checkTime(): void {
    if (this.#isLate || this.#deadline.leftMilliseconds > 0) return;
    const why = `The handler did not finish within ${this.#deadline.timeoutSeconds} s`;
    const reason = new DOMException(why, "TimeoutError");
    this.#isLate = true;
    this.#controller.abort(reason);
    this.#late.reject(reason);
  }
}
