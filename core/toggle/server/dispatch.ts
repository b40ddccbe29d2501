import { isThrown } from "../../call/error_report.ts";
import { hasErrorText } from "../../call/error_text.ts";
import type { MessageWriter } from "../../call/message.ts";
import { CONTINUES, NO_REPLY, OPCODE_FLAGS } from "../../memory/port_headers.ts";
import { Packet, type PacketWork } from "../../memory/packet.ts";
import { refusePromise, tellListener } from "../../memory/sync_result.ts";
import { Pending } from "../pending/pending.ts";
import { PendingCalls } from "../pending/pending_calls.ts";
import { AsyncCalls, type BadNews, type PortNews } from "./async_calls.ts";
import { CallAbandonedError, ClientLateError, type ServerSide } from "./server_side.ts";
import { ServerPort } from "./server_port.ts";
import type { Handler, Service, ServiceTable } from "./service_table.ts";
import { Status } from "../../memory/status.ts";
import { LengthRefusedError } from "../../call/limit.ts";
import type { WordBatch } from "./word_batch.ts";

/** What the host is told of a call that ended badly. */
export interface FaultReport {
  /** Why, as the client is told. */
  readonly status: Status;
  /** What was asked for, as the client wrote it. */
  readonly opcode: number;
  /** Where, 0 to `portCount - 1`. */
  readonly portIndex: number;
  /** What the handler threw. */
  readonly cause?: unknown;
}

/**
 * How the rest of an error is sent that is longer than a packet: not at all by who serves by hand, as
 * the client may be in the same thread; else as the server waits for everything.
 */
export type RestWaits = "never" | "blocking" | "async";

/**
 * Brings a claimed port to its service, and what goes wrong there back to the client. Internal; users
 * have `Server`.
 *
 * The header comes from the other side: each of its words is read once, and checked, before anything
 * is done with it.
 */
export class Dispatch {
  readonly asyncCalls: AsyncCalls;
  readonly pendingCalls: PendingCalls;
  /** How this server may wait for clients that read a long error. */
  waits: RestWaits = "never";
  /** Told before `onFault` is. */
  faultListener: ((fault: FaultReport) => void) | undefined;
  /** Sends answers together, where this server serves several calls at once. */
  batch: WordBatch | undefined;
  readonly #side: ServerSide;
  readonly #services: ServiceTable;
  readonly #onFault: (fault: FaultReport) => void;
  /** Serves the call on a port that was just claimed, and returns the port. */
  readonly serveAt: (index: number) => void;
  /** The port object of served calls, used again; absent while a call is served. */
  #sparePort: ServerPort<"fresh"> | undefined;

  constructor(
    side: ServerSide,
    services: ServiceTable,
    onFault: (fault: FaultReport) => void,
  ) {
    this.#side = side;
    this.#services = services;
    this.#onFault = onFault;
    this.asyncCalls = new AsyncCalls(side, this);
    this.pendingCalls = new PendingCalls(side);
    this.serveAt = this.#serving();
  }

  /**
   * Makes `serveAt`: on constants, and not on fields, so that the compiler can put their addresses into
   * the code.
   */
  #serving(): (index: number) => void {
    const side = this.#side;
    const services = this.#services;
    const { plain } = side.channel.words;
    const { headersWord, headerStride } = side.channel.layout;
    const { handBack } = side.steps;
    const { opcodeOf } = side.headers;
    /** The packet object of served calls, used again; absent while a call is served. */
    let spare: Packet | undefined;
    return (index) => {
      const word = headersWord + index * headerStride;
      const written = plain[word + 2]!;
      const opcodeWord = opcodeOf === undefined ? written : opcodeOf(written);
      const service = services.find(opcodeWord);
      const wasLate = side.takeLate(index);
      const packet = spare ?? new Packet(side.views);
      spare = undefined;
      packet.aim(index, plain[word]!, plain[word + 1]!);
      const { operate } = service;
      if (operate === undefined || opcodeWord & CONTINUES || !packet.isMaskGood) {
        this.#serveSlowly(packet, opcodeWord, { service, wasLate });
      } else if (this.#operate(packet, opcodeWord, operate) && !this.batch?.takeAnswer(index)) {
        side.noteHandedBack(index, handBack(index));
      }
      if (!packet.isDetached) spare = packet;
    };
  }

  #serveSlowly(
    packet: Packet,
    opcodeWord: number,
    { service, wasLate }: { readonly service: Service; readonly wasLate: boolean },
  ): void {
    const opcode = opcodeWord & ~OPCODE_FLAGS;
    if (opcodeWord & CONTINUES) {
      return this.refuse(packet, { opcode, status: statusOfLeft(wasLate) });
    }
    if (!packet.isMaskGood) return this.refuse(packet, { opcode, status: Status.badMask });
    this.batch?.answer();
    if (service.asynchronous && (this.#mayNotBlock || !service.handler)) {
      this.asyncCalls.start(packet, opcodeWord, service.asynchronous);
    } else if (service.handler) this.#handle(packet, opcodeWord, service.handler);
    else this.refuse(packet, { opcode, status: Status.unhandledOpcode });
  }

  /** Whether a wait would hold up more than this server: the event loop that its clients may be on. */
  get #mayNotBlock(): boolean {
    return this.waits === "async" || this.#side.isAsyncOnly;
  }

  /** @returns whether the packet is to be handed back now */
  #operate(packet: Packet, opcodeWord: number, operate: PacketWork): boolean {
    const { index } = packet;
    try {
      const result: unknown = operate(packet);
      if (result === undefined) return true;
      if (result instanceof Pending) {
        this.#keepPacket(index, opcodeWord, result);
        return false;
      }
      packet.checkSync(result, "an operate");
      return true;
    } catch (cause) {
      this.refuse(this.#packetAt(index), { opcode: opcodeWord & ~OPCODE_FLAGS, cause });
      return false;
    }
  }

  #keepPacket(index: number, opcodeWord: number, pending: Pending): void {
    const opcode = opcodeWord & ~OPCODE_FLAGS;
    this.pendingCalls.keep({
      index,
      isAwaited: !(opcodeWord & NO_REPLY),
      pending: pending as Pending<PacketWork>,
      finish: (fill) => {
        const packet = this.#packetAt(index);
        packet.checkSync(answerOf(fill)(packet), "an answer");
        this.#side.handBack(index);
      },
      fail: (cause) => this.refuse(this.#packetAt(index), { opcode, cause }),
    });
  }

  #handle(packet: Packet, opcodeWord: number, handler: Handler): void {
    const port = this.#sparePort ?? new ServerPort<"fresh">(this.#side);
    this.#sparePort = undefined;
    port.begin(packet, opcodeWord);
    let result: unknown;
    try {
      result = handler(port);
      if (result instanceof Pending) return this.#keepPort(port, opcodeWord, result);
      refusePromise(result, "a handler");
      this.#sparePort = port;
    } catch (cause) {
      // Not used again after a promise: the handler may still know the object.
      if (result === undefined) this.#sparePort = port;
      this.failPort(port, { cause });
    }
    this.closePort(port, opcodeWord);
  }

  #keepPort(port: ServerPort<"fresh">, opcodeWord: number, pending: Pending): void {
    this.pendingCalls.keep({
      index: port.index,
      isAwaited: !(opcodeWord & NO_REPLY),
      pending: pending as Pending<Handler>,
      finish: (answer) => {
        refusePromise(answerOf(answer)(port), "an answer");
        this.closePort(port, opcodeWord);
      },
      fail: (cause) => {
        this.failPort(port, { cause });
        port[Symbol.dispose]();
      },
    });
  }

  /**
   * Ends a call that went through a port object with bad news, unless its client has left: while the
   * server has its packet, it was the client of another port.
   */
  failPort(port: ServerPort, news: PortNews): void {
    const { cause } = news;
    if (isThrown(cause, ClientLateError)) this.#side.markLate(port.index);
    else if (isThrown(cause, CallAbandonedError) && !port.hasBuffer) return;
    const { index, opcode, hasBuffer } = port;
    if (hasBuffer) {
      port.release();
      return this.refuse(this.#packetAt(index), { ...news, opcode });
    }
    port[Symbol.dispose]();
    this.#report({ ...fault(news), opcode, portIndex: index });
  }

  /** Closes the port of a call whose handler has ended, unless it did so itself. */
  closePort(port: ServerPort, opcodeWord: number): void {
    port[Symbol.dispose]();
    if (!port.lacksReply || opcodeWord & NO_REPLY) return;
    this.#report({ status: Status.noReply, opcode: port.opcode, portIndex: port.index });
  }

  #report(report: FaultReport): void {
    this.faultListener?.(report);
    tellListener(this.#onFault, report);
  }

  /** Gives the packet of a call back with bad news, and returns the port. */
  refuse(packet: Packet, news: BadNews): void {
    const { index } = packet;
    const { status, cause } = fault(news);
    const rest = hasErrorText(status)
      ? this.#side.writeError(packet, cause, this.waits === "never")
      : undefined;
    this.#side.headers.setStatus(index, status);
    if (rest) this.#sendRest(index, rest);
    else this.#side.handBack(index);
    const { opcode } = news;
    this.#report({ status, opcode, portIndex: index, ...(cause === undefined ? {} : { cause }) });
  }

  #sendRest(index: number, rest: MessageWriter): void {
    const packet = this.#packetAt(index);
    this.batch?.answer();
    if (this.waits === "blocking") sendRest(this.#side, packet, rest);
    else this.asyncCalls.finish(index, sendRestAsync(this.#side, packet, rest));
  }

  /** A packet object that no callback knows. */
  #packetAt(index: number): Packet {
    const packet = new Packet(this.#side.views);
    this.#side.aim(packet, index);
    return packet;
  }
}

/** @throws {TypeError} when it is none: types may be dodged, and 0 is not `undefined` */
function answerOf<Answer>(result: Answer): Answer {
  if (typeof result === "function") return result;
  throw new TypeError(
    `Cannot answer the call as its Pending must come to a function that does: current value is ${result}`,
  );
}

function fault({ cause, status = statusOf(cause) }: PortNews): {
  readonly status: Status;
  readonly cause?: unknown;
} {
  return cause === undefined ? { status } : { status, cause };
}

/** Why a call that goes on is not served any more. */
function statusOfLeft(wasLate: boolean): Status {
  return wasLate ? Status.clientLate : Status.outOfStep;
}

function statusOf(cause: unknown): Status {
  if (isThrown(cause, ClientLateError)) return Status.clientLate;
  return isThrown(cause, LengthRefusedError) ? Status.lengthRefused : Status.handlerFailed;
}

/**
 * Gives the first packet of an error to the client, then the rest as the client asks for it, and
 * returns the port. Blocks, at most as long as clients may take for one step of a call, for all of it;
 * a client that has enough closes its port.
 */
export function sendRest(side: ServerSide, packet: Packet, rest: MessageWriter): void {
  const { index } = packet;
  const limit = side.stepDeadline();
  try {
    for (side.giveAway(index); !rest.isDone; side.giveAway(index)) {
      side.awaitBuffer(index, limit);
      rest.put(packet);
    }
  } catch (error) {
    passUnlessLeft(error);
  } finally {
    side.unlock(index);
  }
}

/** As {@linkcode sendRest}, without blocking the event loop. */
export async function sendRestAsync(
  side: ServerSide,
  packet: Packet,
  rest: MessageWriter,
): Promise<void> {
  const { index } = packet;
  const limit = side.stepDeadline();
  try {
    for (side.giveAway(index); !rest.isDone; side.giveAway(index)) {
      await side.awaitBufferAsync(index, limit);
      rest.put(packet);
    }
  } catch (error) {
    passUnlessLeft(error);
  } finally {
    side.unlock(index);
  }
}

/** Who left, or was too late, or is on a channel that has ended, has heard enough. */
function passUnlessLeft(error: unknown): void {
  if (error instanceof CallAbandonedError) return;
  throw error;
}
