import { writeErrorText } from "../../call/error_text.ts";
import { CONTINUES } from "../../memory/port_headers.ts";
import { Packet, type PacketWork } from "../../memory/packet.ts";
import { refusePromise } from "../../memory/sync_result.ts";
import { CallAbandonedError, ClientLateError, type ServerSide } from "./server_side.ts";
import { ServerPort } from "./server_port.ts";
import type { Handler, ServiceTable } from "./service_table.ts";
import { Status } from "../../memory/status.ts";
import { LengthRefusedError } from "../../call/stream.ts";

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
 * Brings a claimed port to its service, and what goes wrong there back to the client. Internal; users
 * have `Server`.
 *
 * The header comes from the other side: each of its words is read once, and checked, before anything
 * is done with it.
 */
export class Dispatch {
  readonly #side: ServerSide;
  readonly #services: ServiceTable;
  readonly #onFault: (fault: FaultReport) => void;
  /** The packet and port objects of served calls, used again; absent while a call is served. */
  #sparePacket: Packet | undefined;
  #sparePort: ServerPort<"fresh"> | undefined;
  /** Ports whose client was late: it may still go on with the call that was given up. */
  readonly #lateIndexes = new Set<number>();

  constructor(
    side: ServerSide,
    services: ServiceTable,
    onFault: (fault: FaultReport) => void,
  ) {
    this.#side = side;
    this.#services = services;
    this.#onFault = onFault;
  }

  /** Serves the call on a port that was just claimed, and returns the port. */
  serveAt(index: number): void {
    const opcodeWord = this.#side.opcodeWord(index);
    const service = this.#services.find(opcodeWord);
    if (this.#lateIndexes.size > 0 && !(opcodeWord & CONTINUES)) this.#lateIndexes.delete(index);
    const packet = this.#sparePacket ?? new Packet(this.#side.views);
    this.#sparePacket = undefined;
    this.#side.aim(packet, index);
    if (opcodeWord & CONTINUES) this.#refuse(index, packet, this.#statusOfLeft(index));
    else if (!packet.isMaskGood) this.#refuse(index, packet, Status.badMask);
    else if (service.operate) this.#operateAt(index, packet, service.operate);
    else if (service.handler) this.#handleAt(index, service.handler);
    else this.#refuse(index, packet, Status.unhandledOpcode);
    if (!packet.isDetached) this.#sparePacket = packet;
  }

  /** Why a call that goes on is not served any more. */
  #statusOfLeft(index: number): Status {
    return this.#lateIndexes.delete(index) ? Status.clientLate : Status.outOfStep;
  }

  #operateAt(index: number, packet: Packet, operate: PacketWork): void {
    try {
      const result: unknown = operate(packet);
      if (result !== undefined) packet.checkSync(result, "an operate");
    } catch (cause) {
      return this.#refuse(index, packet, Status.handlerFailed, cause);
    }
    this.#handBack(index);
  }

  #handleAt(index: number, handler: Handler): void {
    const port = this.#sparePort ?? new ServerPort<"fresh">(this.#side);
    this.#sparePort = undefined;
    port.begin(index);
    let result: unknown;
    try {
      result = handler(port);
      refusePromise(result, "a handler");
      this.#sparePort = port;
    } catch (cause) {
      // Not used again after a promise: the handler may still know the object.
      if (result === undefined) this.#sparePort = port;
      this.#failPort(port, cause);
    }
    port[Symbol.dispose]();
  }

  #failPort(port: ServerPort, cause: unknown): void {
    if (cause instanceof ClientLateError) this.#lateIndexes.add(port.index);
    else if (cause instanceof CallAbandonedError) return;
    if (!port.isOpen) return;
    const status = statusOf(cause);
    port.refuse(status, messageOf(cause));
    this.#report({ status, opcode: port.opcode, portIndex: port.index, cause });
  }

  /** A report is an offer: who listens must not be able to end the server. */
  #report(report: FaultReport): void {
    try {
      this.#onFault(report);
    } catch {
      // Said in the documentation of onFault.
    }
  }

  #refuse(index: number, packet: Packet, status: Status, cause?: unknown): void {
    if (cause !== undefined) writeErrorText(packet, messageOf(cause));
    this.#side.setStatus(index, status);
    const opcode = this.#side.opcode(index);
    this.#handBack(index);
    this.#report({ status, opcode, portIndex: index, cause });
  }

  #handBack(index: number): void {
    this.#side.giveAway(index);
    this.#side.unlock(index);
  }
}

function statusOf(cause: unknown): Status {
  if (cause instanceof ClientLateError) return Status.clientLate;
  return cause instanceof LengthRefusedError ? Status.lengthRefused : Status.handlerFailed;
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
