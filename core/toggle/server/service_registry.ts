import { checkByteArray } from "../../call/byte_array.ts";
import { checkLimit } from "../../call/limit.ts";
import {
  recvMessage,
  recvMessageAsync,
  sendMessage,
  sendMessageAsync,
} from "../../call/message.ts";

import { checkService, refusePromise } from "../../memory/sync_result.ts";
import { checkUserOpcode } from "../../memory/opcode.ts";
import type { PacketWork } from "../../memory/packet.ts";
import {
  type AsyncContext,
  type AsyncHandler,
  type AsyncOptions,
  type AsyncPacketWork,
  type AsyncService,
  type Handler,
  type Service,
  ServiceTable,
} from "./service_table.ts";

/** Names the method by which this library registers its own services; users have opcodes of theirs. */
export const registerReserved = Symbol("portlab.registerReserved");

/** How long an asynchronous handler may take when nothing is said. */
export const HANDLER_TIMEOUT_SECONDS = 30;

function limitOf(
  { timeoutSeconds = HANDLER_TIMEOUT_SECONDS }: AsyncOptions,
): Required<AsyncOptions> {
  return { timeoutSeconds };
}

/** How a service of bytes is limited. */
export interface BytesOptions {
  /** The longest request that is taken. There is no default: the length comes from the other side. */
  readonly limitBytes: number;
}

/** As {@linkcode BytesOptions}, for functions that may wait. */
export interface AsyncBytesOptions extends BytesOptions, AsyncOptions {}

/** What does not fit the types, a promise for example, is no answer. */
function checkBytes(answer: unknown): Uint8Array {
  refusePromise(answer, "a function");
  checkByteArray(answer);
  return answer;
}

/** The part of a `Server` that takes services. */
export abstract class ServiceRegistry {
  /** @internal By opcode. */
  protected readonly services: ServiceTable = new ServiceTable();

  /** @internal Called when an asynchronous service was set. */
  protected abstract onAsync(): void;

  /**
   * Sets what serves an opcode, in place of an earlier service. Clients may be running. For calls of
   * any shape; the common one, a packet there and back, is quicker with {@linkcode operate}.
   *
   * @throws {RangeError} when the opcode is not an integer from 32768 to 65535
   */
  register(opcode: number, handler: Handler): void {
    checkUserOpcode(opcode);
    this.services.set(opcode, { handler });
  }

  /**
   * Serves an opcode with a function that works on the packet in place, which goes back as the
   * reply: hostrpc's `operate`. Serves asynchronous calls, too, whose packet nobody reads then.
   *
   * @throws {RangeError} when the opcode is not an integer from 32768 to 65535
   */
  operate(opcode: number, operate: PacketWork): void {
    checkUserOpcode(opcode);
    this.services.set(opcode, { operate });
  }

  /**
   * Serves an opcode with a handler that may wait, on a server that runs on an event loop
   * (`serveAsync`, the main thread included). The port stays with its call, other calls are served
   * meanwhile, and they end in any order. The port is closed when the handler's promise settles; a
   * rejection reaches the client as a throw does. A handler that is late loses port and packet.
   *
   * @throws {RangeError} when the opcode is not an integer from 32768 to 65535, or the timeout no time
   *
   * @example
   * ```ts
   * import { Channel } from "../channel.ts";
   * import { Client } from "../client/client.ts";
   * import { Server } from "./server.ts";
   * const channel = Channel.create({ portCount: 4, laneCount: 1 });
   * const server = new Server(channel);
   * server.registerAsync(40_000, async (port, { signal }) => {
   *   await port.recvAsync((packet) => packet.setUint32(0, 0, packet.getUint32(0, 0) + 1));
   *   await new Promise((resolve) => setTimeout(resolve, 1));
   *   signal.throwIfAborted();
   * }, { timeoutSeconds: 5 });
   * const served = server.serveAsync();
   * const client = new Client(channel);
   * await client.callAsync(40_000, { fill: () => {}, use: () => {} });
   * channel.shutDown();
   * await served;
   * ```
   */
  registerAsync(opcode: number, handler: AsyncHandler, options: AsyncOptions = {}): void {
    this.#setAsync(opcode, { handler, ...limitOf(options) });
  }

  /**
   * As {@linkcode operate}, with a function that may wait; else as {@linkcode registerAsync}. It works
   * on a copy of the packet, which is sent back when its promise settles in time: what a late function
   * still writes reaches nobody.
   */
  operateAsync(opcode: number, operate: AsyncPacketWork, options: AsyncOptions = {}): void {
    this.#setAsync(opcode, { operate, ...limitOf(options) });
  }

  /**
   * Serves an opcode with a function of bytes: what `Client.callBytes` asks. It may keep the bytes.
   *
   * @param options `limitBytes`: the longest request that is taken; longer ones are refused before
   * anything is allocated
   * @throws {RangeError} when the opcode is not an integer from 32768 to 65535, or the limit no number
   */
  operateBytes(
    opcode: number,
    work: (bytes: Uint8Array) => Uint8Array,
    { limitBytes }: BytesOptions,
  ): void {
    checkLimit(limitBytes);
    checkService(`opcode ${opcode}`, work);
    this.register(opcode, (port) => {
      sendMessage(
        port,
        checkBytes(work(recvMessage(port, { limitBytes }))),
      );
    });
  }

  /** As {@linkcode operateBytes}, with a function that may wait; limited as {@linkcode registerAsync}. */
  operateBytesAsync(
    opcode: number,
    work: (bytes: Uint8Array, context: AsyncContext) => Promise<Uint8Array>,
    options: AsyncBytesOptions,
  ): void {
    const { limitBytes } = options;
    checkLimit(limitBytes);
    checkService(`opcode ${opcode}`, work);
    this.registerAsync(opcode, async (port, context) => {
      const bytes = await recvMessageAsync(port, { limitBytes });
      const answer = checkBytes(await work(bytes, context));
      await sendMessageAsync(port, answer);
    }, options);
  }

  /** Whether a service needs an event loop: then this server serves by `serveAsync` only. */
  get hasAsync(): boolean {
    return this.services.hasAsync;
  }

  #setAsync(opcode: number, asynchronous: AsyncService): void {
    checkUserOpcode(opcode);
    this.services.set(opcode, { asynchronous });
    this.onAsync();
  }

  /**
   * Sets a service of this library, whose opcodes are reserved, or takes it away. One that does the same
   * with waits and without them serves where a server may not block, too.
   *
   * @internal
   */
  [registerReserved](opcode: number, service: Service | undefined): void {
    if (service === undefined) return void this.services.delete(opcode);
    this.services.set(opcode, service);
    if (service.asynchronous && !service.handler) this.onAsync();
  }

  /**
   * Takes the service of an opcode away; returns whether there was one.
   *
   * @throws {RangeError} when the opcode is not an integer from 32768 to 65535
   */
  unregister(opcode: number): boolean {
    checkUserOpcode(opcode);
    return this.services.delete(opcode);
  }
}
