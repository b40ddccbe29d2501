import { checkService, type SyncResult } from "../../memory/sync_result.ts";
import { checkOpcode, USER_OPCODE_FIRST } from "../../memory/opcode.ts";
import type { Packet, PacketWork } from "../../memory/packet.ts";
import { Form, formOf, OPCODE_FLAGS } from "../../memory/port_headers.ts";
import { checkTimeout } from "../../wait/deadline.ts";
import type { ServerPort } from "./server_port.ts";

/**
 * Serves one call: mirrors the client's sends and receives on the port, synchronously. What it
 * throws reaches the client as a `CallError` with the message. The port is closed when it returns.
 */
export type Handler = (port: ServerPort<"fresh">) => SyncResult;

/** What an asynchronous handler is told beside its call. */
export interface AsyncContext {
  /**
   * Aborted when the result is not wanted any more: at the deadline, when the client left (by a
   * timeout, for example), when the channel was stopped or the server was asked to leave. Noticed
   * within some 10 ms.
   */
  readonly signal: AbortSignal;
  /** The port that the call came by, which is the client's until the call ends. */
  readonly portIndex: number;
}

/** As {@linkcode Handler}, with waits: by `recvAsync`, `sendAsync` and whatever else it awaits. */
export type AsyncHandler = (port: ServerPort<"fresh">, context: AsyncContext) => unknown;

/** As a `PacketWork`, with waits. It works on a copy of the packet. */
export type AsyncPacketWork = (packet: Packet, context: AsyncContext) => unknown;

/** How an asynchronous handler is limited. */
export interface AsyncOptions {
  /**
   * How long the handler may take, in seconds; 30 when absent. Then the call ends with status
   * `handlerLate`; `Infinity` lets one handler hold up the end of its server.
   */
  readonly timeoutSeconds?: number;
}

/** One of the two functions, and its limit. */
export interface AsyncService {
  readonly operate?: AsyncPacketWork;
  readonly handler?: AsyncHandler;
  readonly timeoutSeconds: number;
}

/**
 * What an opcode word leads to: one of the three is there, or none; or a handler and an asynchronous
 * one that does the same, for servers that may not block.
 */
export interface Service {
  readonly operate?: PacketWork;
  readonly handler?: Handler;
  readonly asynchronous?: AsyncService;
}

const NO_SERVICE: Service = {};

/** What a client sends, how it is sent, and what takes it, by {@linkcode Form}. */
const FORMS = [
  { what: "a packet", call: "call", operate: "operate" },
  { what: "a message", call: "callMessage", operate: "operateMessage" },
  { what: "a stream", call: "callStream", operate: "operateStream" },
  { what: "a value", call: "callValue", operate: "operateValue" },
] as const;

/**
 * Checks that a handler takes what the client sent, where the client said that.
 *
 * @param taken what the handler takes; `Form.any` for one packet
 * @throws {TypeError} when it is something else
 */
export function checkForm(opcodeWord: number, taken: Form): void {
  const sent = formOf(opcodeWord);
  if (sent === taken || sent === Form.any) return;
  const { what, operate } = FORMS[sent];
  throw new TypeError(
    `Cannot serve opcode ${
      opcodeWord & ~OPCODE_FLAGS
    } as the client sent ${what} and the handler takes ${FORMS[taken].what}: call it by ${
      FORMS[taken].call
    }(), or serve it by ${operate}()`,
  );
}

/** In place of a function of packets that is asked for something else. */
const REFUSAL: Service = {
  handler: (port) => port.declareForm(Form.any),
};

/** The services of one server, by opcode. Remembers the last, which is asked for again and again. */
export class ServiceTable {
  readonly #services = new Map<number, Service>();
  #lastWord = -1;
  #lastService = NO_SERVICE;

  /**
   * @throws {RangeError} when the opcode is not an integer from 0 to 65535, or the timeout no time
   * @throws {TypeError} when what is to serve it is no function
   */
  set(opcode: number, service: Service): void {
    checkOpcode(opcode);
    const { asynchronous } = service;
    const one = asynchronous ?? service;
    checkService(`opcode ${opcode}`, one.operate ?? one.handler);
    checkTimeout("timeoutSeconds", asynchronous?.timeoutSeconds ?? Infinity);
    this.#services.set(opcode, service);
    this.#lastWord = -1;
  }

  /** Returns whether there was one. */
  delete(opcode: number): boolean {
    this.#lastWord = -1;
    return this.#services.delete(opcode);
  }

  /** Whether some service needs an event loop. */
  get hasAsync(): boolean {
    return this.#services.values().some(({ asynchronous, handler }) => asynchronous && !handler);
  }

  /** The service of an opcode word as a client wrote it, whatever it wrote. */
  find(opcodeWord: number): Service {
    if (opcodeWord !== this.#lastWord) {
      const opcode = opcodeWord & ~OPCODE_FLAGS;
      const service = this.#services.get(opcode) ?? NO_SERVICE;
      const takesPacket = opcode >= USER_OPCODE_FIRST &&
        (service.operate || service.asynchronous?.operate);
      this.#lastService = takesPacket && formOf(opcodeWord) !== Form.any ? REFUSAL : service;
      this.#lastWord = opcodeWord;
    }
    return this.#lastService;
  }
}
