import { Packet } from "../../memory/packet.ts";
import { NO_REPLY, OPCODE_FLAGS } from "../../memory/port_headers.ts";
import { Status } from "../../memory/status.ts";
import { Deadline } from "../../wait/deadline.ts";
import { Doorbell } from "../../wait/doorbell.ts";
import { Hints } from "../../wait/hint.ts";
import { ChannelState, doorbellPlace } from "../layout.ts";
import { Pending } from "../pending/pending.ts";
import type { Dispatch } from "./dispatch.ts";
import { ServerPort } from "./server_port.ts";
import type { ServerSide } from "./server_side.ts";
import type { AsyncHandler, AsyncPacketWork, AsyncService } from "./service_table.ts";

/** How often the calls that run are looked at: so late may a deadline or an abort be noticed. */
const LOOK_MILLISECONDS = 10;

/** How a call ends, for the client. */
export type CallEnd = Pick<Dispatch, "refuse" | "failPort" | "closePort">;

/** Why a call ends without a reply, and which. */
export interface BadNews extends PortNews {
  readonly opcode: number;
}

/** Why a call ends without a reply. */
export interface PortNews {
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

  /** As {@linkcode idle}, for no longer than until a next look is due. */
  async idleForMoment(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, LOOK_MILLISECONDS);
    await Promise.race([this.idle(), promise]);
    clearTimeout(timer);
  }

  /** Starts the handler of a call whose port was just claimed, with what was read of its header. */
  start(packet: Packet, opcodeWord: number, service: AsyncService): void {
    const { operate, handler, timeoutSeconds } = service;
    const isAwaited = !(opcodeWord & NO_REPLY);
    const call = new RunningCall(packet.index, { isAwaited, timeoutSeconds });
    const own = new Packet(this.#side.views);
    own.aimAs(packet);
    const request = { call, opcodeWord, packet: own };
    this.#track(call, operate ? this.#operate(request, operate) : this.#handle(request, handler!));
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
    this.#wakeFor(call.index);
    if (this.isBusy) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /**
   * Has a call served that came while the port was still a handler's, whose client had left: it rang,
   * and this server, which takes no port of its own handlers for work, went to sleep again.
   */
  #wakeFor(index: number): void {
    // Sync: after the unlock; pairs with a client's toggle and mark: we see its packet here, or it
    // rings after the port was free.
    if (!this.#side.mailboxes.owns(index)) return;
    const { words, layout } = this.#side.channel;
    if (layout.discovery === "hint") new Hints(words, layout).mark(index);
    new Doorbell(words, doorbellPlace(layout)).ring();
  }

  /**
   * The handler works on a copy, which is written back when it ends in time: what a late one writes,
   * through whatever view, reaches nobody, and neither can the client change it meanwhile.
   */
  async #operate(
    { call, opcodeWord, packet }: Request,
    operate: AsyncPacketWork,
  ): Promise<void> {
    const memory = packet.uint32;
    packet.detach();
    packet.uint32.set(memory);
    const { signal, index: portIndex } = call;
    try {
      await call.limit(async () => await operate(packet, { signal, portIndex }));
    } catch (cause) {
      const own = new Packet(this.#side.views);
      this.#side.aim(own, call.index);
      const opcode = opcodeWord & ~OPCODE_FLAGS;
      return this.#end.refuse(own, { ...call.lateStatus, opcode, cause });
    }
    memory.set(packet.uint32);
    this.#side.handBack(call.index);
  }

  async #handle({ call, opcodeWord, packet }: Request, handler: AsyncHandler): Promise<void> {
    const port = new ServerPort<"fresh">(this.#side);
    port.begin(packet, opcodeWord);
    const { signal, index: portIndex } = call;
    let news: PortNews | undefined;
    try {
      await call.limit(async () => await handler(port, { signal, portIndex }));
    } catch (cause) {
      news = { ...call.lateStatus, cause };
    }
    await port.endWaits();
    if (news) this.#end.failPort(port, news);
    this.#end.closePort(port, opcodeWord);
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

/** Nobody would poll it, and the client would take the packet as it is for the answer. */
function refusePending(result: unknown): void {
  if (!(result instanceof Pending)) return;
  const error = new TypeError(
    "Cannot answer the call by a Pending as its function is asynchronous: await its settled(signal)",
  );
  result.cancel(error);
  throw error;
}

/** A call, and what was read of its header before it was checked. */
interface Request {
  readonly call: RunningCall;
  readonly opcodeWord: number;
  readonly packet: Packet;
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
  get lateStatus(): PortNews {
    return this.#isLate ? { status: Status.handlerLate } : {};
  }

  /** Settles as the work does, or rejects at the deadline. */
  async limit(work: () => Promise<unknown>): Promise<void> {
    refusePending(await Promise.race([work(), this.#late.promise]));
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
