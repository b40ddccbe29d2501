import { writeErrorText } from "../../call/error_text.ts";
import { CONTINUES } from "../../memory/port_headers.ts";
import { Packet } from "../../memory/packet.ts";
import type { PacketWork } from "../../memory/packet.ts";
import { CallAbandonedError, type ServerSide } from "./server_side.ts";
import { ServerPort } from "./server_port.ts";
import type { Handler, ServiceTable } from "./service_table.ts";
import { Status } from "../../memory/status.ts";
import { LengthRefusedError } from "../../call/stream.ts";

/** What the host is told of a call that ended badly. */
export interface FaultReport {
  readonly status: Status;
  readonly opcode: number;
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
    const packet = this.#sparePacket ?? new Packet(this.#side.views);
    this.#sparePacket = undefined;
    this.#side.aim(packet, index);
    if (opcodeWord & CONTINUES) this.#refuse(index, packet, Status.outOfStep);
    else if (!packet.isMaskGood) this.#refuse(index, packet, Status.badMask);
    else if (service.operate) this.#operateAt(index, packet, service.operate);
    else if (service.handler) this.#handleAt(index, service.handler);
    else this.#refuse(index, packet, Status.unhandledOpcode);
    this.#sparePacket = packet;
  }

  #operateAt(index: number, packet: Packet, operate: PacketWork): void {
    try {
      operate(packet);
    } catch (cause) {
      return this.#refuse(index, packet, Status.handlerFailed, cause);
    }
    this.#handBack(index);
  }

  #handleAt(index: number, handler: Handler): void {
    const port = this.#sparePort ?? new ServerPort<"fresh">(this.#side);
    this.#sparePort = undefined;
    port.arm(index);
    try {
      const returned: unknown = handler(port);
      if (returned instanceof Promise) throw new TypeError(ASYNCHRONOUS);
    } catch (cause) {
      this.#failPort(port, cause);
    }
    port[Symbol.dispose]();
    this.#sparePort = port;
  }

  #failPort(port: ServerPort, cause: unknown): void {
    if (cause instanceof CallAbandonedError || !port.isOpen) return;
    const status = cause instanceof LengthRefusedError
      ? Status.lengthRefused
      : Status.handlerFailed;
    port.refuse(status, messageOf(cause));
    this.#onFault({ status, opcode: port.opcode, portIndex: port.index, cause });
  }

  #refuse(index: number, packet: Packet, status: Status, cause?: unknown): void {
    if (cause !== undefined) writeErrorText(packet, messageOf(cause));
    this.#side.setStatus(index, status);
    const opcode = this.#side.opcode(index);
    this.#handBack(index);
    this.#onFault({ status, opcode, portIndex: index, cause });
  }

  #handBack(index: number): void {
    this.#side.giveAway(index);
    this.#side.unlock(index);
  }
}

const ASYNCHRONOUS = "Cannot serve with a handler that returns a promise: handlers are synchronous";

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
