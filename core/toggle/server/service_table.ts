import type { SyncResult } from "../../memory/sync_result.ts";
import { checkOpcode } from "../../memory/opcode.ts";
import type { PacketWork } from "../../memory/packet.ts";
import type { ServerPort } from "./server_port.ts";

/**
 * Serves one call: mirrors the client's sends and receives on the port, synchronously. What it
 * throws reaches the client as a `CallError` with the message. The port is closed when it returns.
 */
export type Handler = (port: ServerPort<"fresh">) => SyncResult;

/** What an opcode word leads to: one of the two is there, or neither. */
export interface Service {
  readonly operate?: PacketWork;
  readonly handler?: Handler;
}

const NO_SERVICE: Service = {};

/** The services of one server, by opcode. Remembers the last, which is asked for again and again. */
export class ServiceTable {
  readonly #services = new Map<number, Service>();
  #lastWord = -1;
  #lastService = NO_SERVICE;

  /**
   * @throws {RangeError} when the opcode is not an integer from 0 to 65535
   * @throws {TypeError} when what is to serve it is no function
   */
  set(opcode: number, service: Service): void {
    checkOpcode(opcode);
    const work: unknown = service.operate ?? service.handler;
    if (typeof work !== "function") {
      throw new TypeError(
        `Cannot serve opcode ${opcode} as there must be a function: current value is ${work}`,
      );
    }
    this.#services.set(opcode, service);
    this.#lastWord = -1;
  }

  /** Returns whether there was one. */
  delete(opcode: number): boolean {
    this.#lastWord = -1;
    return this.#services.delete(opcode);
  }

  /** The service of an opcode word as a client wrote it, whatever it wrote. */
  find(opcodeWord: number): Service {
    if (opcodeWord !== this.#lastWord) {
      this.#lastService = this.#services.get(opcodeWord) ?? NO_SERVICE;
      this.#lastWord = opcodeWord;
    }
    return this.#lastService;
  }
}
