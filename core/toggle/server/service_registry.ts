import {
  checkByteArray,
  type CodecOptions,
  recvMessage,
  recvMessageAsync,
  sendMessage,
  sendMessageAsync,
} from "../../call/message.ts";
import { jsonCodec } from "../../call/codec.ts";
import { limitOf, type LimitOptions } from "../../call/limit.ts";
import { recvStream, recvStreamAsync, sendStream, sendStreamAsync } from "../../call/stream.ts";
import { checkService, refusePromise } from "../../memory/sync_result.ts";
import { checkUserOpcode } from "../../memory/opcode.ts";
import type { Packet, PacketWork } from "../../memory/packet.ts";
import { Form } from "../../memory/port_headers.ts";
import { HANDLER_TIMEOUT_SECONDS } from "../../wait/deadline.ts";
import {
  type AsyncContext,
  type AsyncHandler,
  type AsyncOptions,
  type AsyncService,
  type Handler,
  type Service,
  ServiceTable,
} from "./service_table.ts";

/** Names the method by which this library registers its own services; users have opcodes of theirs. */
export const serveReserved = Symbol("portlab.serveReserved");

/**
 * Checks that a server was made by this copy of the library: a program that imports it from two addresses has two,
 * which know nothing of each other.
 *
 * @throws {TypeError} when it was not
 */
export function checkOwnServer(server: unknown): void {
  if (typeof Object(server)[serveReserved] === "function") return;
  const isOther = Object.getOwnPropertySymbols(registryOf(server))
    .some(({ description }) => description === serveReserved.description);
  throw new TypeError(
    isOther
      ? "Cannot serve as the Server is of another copy of this library: import both from one address"
      : `Cannot serve as there must be a Server: current value is ${String(server)}`,
  );
}

/** Who has the method by which services are registered, or the last that an object has its methods of. */
function registryOf(server: unknown): object {
  let owner = Object(server) as object;
  for (;;) {
    const next = Object.getPrototypeOf(owner) as object | null;
    if (next === null || next === Object.prototype) return owner;
    owner = next;
  }
}

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
  operatePort(opcode: number, handler: Handler): void {
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
   * (`runAsync`, the main thread included). The port stays with its call, other calls are served
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
   * server.operatePortAsync(40_000, async (port, { signal }) => {
   *   await port.recvAsync((packet) => packet.setUint32(0, 0, packet.getUint32(0, 0) + 1));
   *   await new Promise((resolve) => setTimeout(resolve, 1));
   *   signal.throwIfAborted();
   * }, { timeoutSeconds: 5 });
   * const served = server.runAsync();
   * const client = new Client(channel);
   * await client.callAsync(40_000, { fill: () => {}, use: () => {} });
   * channel.shutDown();
   * await served;
   * ```
   */
  operatePortAsync(opcode: number, handler: AsyncHandler, options: AsyncOptions = {}): void {
    this.#setAsync(opcode, { handler }, options);
  }

  /**
   * As {@linkcode operate}, with a function that may wait; else as {@linkcode operatePortAsync}. It works
   * on a copy of the packet, which is sent back when its promise settles in time: what a late function
   * still writes reaches nobody.
   */
  operateAsync(
    opcode: number,
    operate: (packet: Packet, context: AsyncContext) => unknown,
    options: AsyncOptions = {},
  ): void {
    this.#setAsync(opcode, { operate }, options);
  }

  /**
   * Serves an opcode with a function of bytes: what `Client.callMessage` asks. It may keep the bytes.
   *
   * @param options `limitBytes`: the longest request that is taken, a mebibyte when absent; longer ones are
   * refused before anything is allocated
   * @throws {RangeError} when the opcode is not an integer from 32768 to 65535, or the limit no number
   */
  operateMessage(
    opcode: number,
    work: (bytes: Uint8Array) => Uint8Array,
    options: LimitOptions = {},
  ): void {
    checkService(`opcode ${opcode}`, work);
    this.#operateMessage(opcode, (bytes) => checkBytes(work(bytes)), options);
  }

  /** As {@linkcode operateMessage}, with a function that may wait; limited as {@linkcode operatePortAsync}. */
  operateMessageAsync(
    opcode: number,
    work: (bytes: Uint8Array, context: AsyncContext) => Promise<Uint8Array>,
    options: AsyncOptions & LimitOptions = {},
  ): void {
    checkService(`opcode ${opcode}`, work);
    const answer: typeof work = async (bytes, context) => checkBytes(await work(bytes, context));
    this.#operateMessageAsync(opcode, answer, options);
  }

  /**
   * Serves an opcode with a function of values, each a message that a codec reads and writes: what
   * `Client.callValue` asks. The value comes from the other side: check it.
   *
   * @throws as {@linkcode operateMessage}
   */
  operateValue(
    opcode: number,
    work: (value: unknown) => unknown,
    options: CodecOptions = {},
  ): void {
    const { codec = jsonCodec } = options;
    checkService(`opcode ${opcode}`, work);
    this.#operateMessage(opcode, (bytes) => {
      const answer = work(codec.decode(bytes));
      refusePromise(answer, "a function");
      return codec.encode(answer);
    }, { ...options, form: Form.value });
  }

  /** As {@linkcode operateValue}, with a function that may wait; limited as {@linkcode operatePortAsync}. */
  operateValueAsync(
    opcode: number,
    work: (value: unknown, context: AsyncContext) => unknown,
    options: AsyncOptions & CodecOptions = {},
  ): void {
    const { codec = jsonCodec } = options;
    checkService(`opcode ${opcode}`, work);
    this.#operateMessageAsync(
      opcode,
      async (bytes, context) => codec.encode(await work(codec.decode(bytes), context)),
      { ...options, form: Form.value },
    );
  }

  /**
   * Serves an opcode with a function of payloads by lane: what `Client.callStream` asks. It gets
   * `undefined` for lanes that do not take part, and returns nothing for them.
   *
   * @param options `limitBytes`: the longest payload of one lane
   * @throws as {@linkcode operateMessage}
   */
  operateStream(
    opcode: number,
    work: (bytesByLane: readonly (Uint8Array | undefined)[]) => readonly (Uint8Array | undefined)[],
    options: LimitOptions = {},
  ): void {
    const limitBytes = limitOf(options);
    checkService(`opcode ${opcode}`, work);
    const checked: typeof work = (request) => {
      const answer = work(request);
      refusePromise(answer, "a function");
      return answer;
    };
    this.#setBoth(
      opcode,
      (port) => sendStream(port, checked(recvStream(port, { limitBytes }))),
      async (port) => {
        await sendStreamAsync(port, checked(await recvStreamAsync(port, { limitBytes })));
      },
    );
  }

  /** As {@linkcode operateStream}, with a function that may wait; limited as {@linkcode operatePortAsync}. */
  operateStreamAsync(
    opcode: number,
    work: (
      bytesByLane: readonly (Uint8Array | undefined)[],
      context: AsyncContext,
    ) => Promise<readonly (Uint8Array | undefined)[]>,
    options: AsyncOptions & LimitOptions = {},
  ): void {
    const limitBytes = limitOf(options);
    checkService(`opcode ${opcode}`, work);
    this.operatePortAsync(opcode, async (port, context) => {
      const request = await recvStreamAsync(port, { limitBytes });
      await sendStreamAsync(port, await work(request, context));
    }, options);
  }

  #operateMessage(
    opcode: number,
    work: (bytes: Uint8Array) => Uint8Array,
    options: LimitOptions & { readonly form?: Form },
  ): void {
    const { form = Form.message } = options;
    const limitBytes = limitOf(options);
    this.#setBoth(opcode, (port) => {
      sendMessage(port, work(recvMessage(port, { limitBytes, form })), { form });
    }, async (port) => {
      await sendMessageAsync(port, work(await recvMessageAsync(port, { limitBytes, form })), {
        form,
      });
    });
  }

  /** Sets what serves with waits that block, and the same without for a server that runs on an event loop. */
  #setBoth(opcode: number, handler: Handler, twin: AsyncHandler): void {
    checkUserOpcode(opcode);
    this.services.set(opcode, {
      handler,
      asynchronous: { handler: twin, timeoutSeconds: Infinity },
    });
  }

  #operateMessageAsync(
    opcode: number,
    work: (bytes: Uint8Array, context: AsyncContext) => Promise<Uint8Array>,
    options: AsyncOptions & LimitOptions & { readonly form?: Form },
  ): void {
    const { form = Form.message } = options;
    const limitBytes = limitOf(options);
    this.operatePortAsync(opcode, async (port, context) => {
      const bytes = await recvMessageAsync(port, { limitBytes, form });
      await sendMessageAsync(port, await work(bytes, context), { form });
    }, options);
  }

  /** Whether a service needs an event loop: then this server serves by `runAsync` only. */
  get hasAsync(): boolean {
    return this.services.hasAsync;
  }

  #setAsync(
    opcode: number,
    work: Omit<AsyncService, "timeoutSeconds">,
    { timeoutSeconds = HANDLER_TIMEOUT_SECONDS }: AsyncOptions,
  ): void {
    checkUserOpcode(opcode);
    this.services.set(opcode, { asynchronous: { ...work, timeoutSeconds } });
    this.onAsync();
  }

  /**
   * Sets a service of this library, whose opcodes are reserved, or takes it away. One that does the same
   * with waits and without them serves where a server may not block, too.
   *
   * @internal
   */
  [serveReserved](opcode: number, service: Service | undefined): void {
    if (service === undefined) return void this.services.delete(opcode);
    this.services.set(opcode, service);
    if (service.asynchronous && !service.handler) this.onAsync();
  }

  /**
   * Takes the service of an opcode away; returns whether there was one.
   *
   * @throws {RangeError} when the opcode is not an integer from 32768 to 65535
   */
  remove(opcode: number): boolean {
    checkUserOpcode(opcode);
    return this.services.delete(opcode);
  }
}
