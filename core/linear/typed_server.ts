import { assert } from "../memory/assert.ts";
import { Opcode } from "../memory/opcode.ts";
import type { Server } from "../toggle/server/server.ts";
import type { Handler } from "../toggle/server/service_table.ts";
import type { ServerPort } from "../toggle/server/server_port.ts";
import { Status } from "../memory/status.ts";
import { refusePromise, type SyncResult } from "../memory/sync_result.ts";
import { LengthRefusedError } from "../call/limit.ts";
import { handle, type HandleWork } from "./four_callbacks.ts";
import type { Maybe } from "./maybe.ts";
import { type Checks, PortMaker } from "./port/port_maker.ts";
import type { PartialPort } from "./port/typed_port.ts";

/**
 * Serves one call on a typed port, which it consumes: `(port) => port.send(work).close()`.
 * Synchronous. What it throws reaches the client as a `CallError`.
 */
export type TypedHandler = (port: PartialPort<true>) => SyncResult;

/**
 * A server whose ports have their state in the type, and are used once. It stands on a `Server` and
 * serves with it: calls that no typed handler is registered for go where they went before.
 *
 * A port comes with its request: it is owned, so the first operation is a `use` or a `send`.
 *
 * @example
 * ```ts
 * import { Channel, Client, Server } from "../mod.ts";
 * import { TypedServer } from "./typed_server.ts";
 *
 * const channel = Channel.create({ portCount: 1, laneCount: 1 });
 * const plain = new Server(channel);
 * const server = new TypedServer(plain);
 * server.operatePort(40_000, (port) => {
 *   port.send((packet) => packet.setUint32(0, 0, packet.getUint32(0, 0) + 1)).close();
 * });
 *
 * const sent = new Client(channel).open(40_000).send((packet) => packet.setUint32(0, 0, 41));
 * plain.runOnce();
 * sent.recv((packet) => {
 *   if (packet.getUint32(0, 0) !== 42) throw new Error("41 + 1");
 * }).close();
 * ```
 */
export class TypedServer {
  readonly #server: Server;
  /** Of ports that a handler is given: the server closes them when the handler has returned. */
  readonly #givenMaker: PortMaker<ServerPort>;
  /** Of ports that the program opened itself. */
  readonly #openedMaker: PortMaker<ServerPort>;

  /**
   * Types the ports of a server.
   *
   * @param options `checks` is `on` when absent
   * @throws {TypeError} when checks are neither `on` nor `off`
   */
  constructor(server: Server, options: { readonly checks?: Checks } = {}) {
    const { checks = "on" } = options;
    this.#server = server;
    this.#givenMaker = new PortMaker(checks, { onFailure: refuse, onClosed: forget });
    this.#openedMaker = new PortMaker(checks, { onFailure: refuseAndClose, onClosed: forget });
  }

  /**
   * Sets what serves an opcode, in place of an earlier service.
   *
   * With checks on, a handler that leaves its port open fails its call; without, the port is closed
   * for it.
   *
   * @throws {RangeError} when the opcode is not an integer from 32768 to 65535
   * @throws {TypeError} when the handler is no function
   */
  operatePort(opcode: number, handler: TypedHandler): void {
    const isFunction = typeof handler === "function";
    this.#server.operatePort(opcode, isFunction ? this.#serviceOf(handler) : handler);
  }

  #serviceOf(handler: TypedHandler): Handler {
    const maker = this.#givenMaker;
    return maker.isChecked
      ? (port) => this.#serveChecked(port.accept(), handler)
      : (port) => handler(maker.make(port.accept(), GIVEN, this.operatePort));
  }

  /** Opens a port that has a call, for callers that serve by hand. Bounded. */
  tryOpen(): Maybe<PartialPort<true>> {
    return this.#typed(this.#server.tryOpen());
  }

  /**
   * hostrpc's service, for clients that use `TypedClient.rpcInvoke`: works on at most one packet,
   * with `operate` if it is a request and with `clear` if its client is done with it. Bounded, as
   * far as the callbacks are. Call it again and again.
   *
   * A callback that throws fails the call, which its client learns, and `rpcHandle` throws the same.
   *
   * @returns whether there was a packet
   */
  rpcHandle(work: HandleWork): boolean {
    const port = this.#server.tryOpen();
    if (port && port.opcode !== Opcode.rpcInvoke) return refuseOpcode(port);
    return handle(this.#typed(port), work);
  }

  /**
   * Asserts that every port from `tryOpen` was closed. Without checks nobody knows, and it passes.
   *
   * @throws {InvariantError} that names each open port and the line that opened it
   */
  assertNoneOpen(): void {
    this.#openedMaker.openPorts.assertNone();
  }

  /** As {@linkcode assertNoneOpen}, at the end of a block. */
  [Symbol.dispose](): void {
    this.assertNoneOpen();
  }

  #typed(port: ServerPort<"fresh"> | undefined): Maybe<PartialPort<true>> {
    return this.#openedMaker.maybe(port?.accept(), "tryOpen()", this.tryOpen);
  }

  #serveChecked(port: ServerPort<"mine">, handler: TypedHandler): void {
    const { openPorts } = this.#givenMaker;
    const typed = this.#givenMaker.make(port, GIVEN, this.operatePort);
    try {
      refusePromise(handler(typed), "a handler"); // before the port, which it cannot have consumed
    } catch (error) {
      openPorts.end(port);
      throw error;
    }
    assert(!openPorts.end(port), "a handler has consumed its port when it returns");
  }
}

/** How a handler's port was opened, in messages. */
const GIVEN = "the call";

/** Tells the client, whether or not the handler lets the error out. */
function refuse(port: ServerPort, cause: unknown): void {
  const status = cause instanceof LengthRefusedError ? Status.lengthRefused : Status.handlerFailed;
  port.refuse(status, cause);
}

function refuseAndClose(port: ServerPort, cause: unknown): void {
  if (!port.isOpen) return;
  refuse(port, cause);
  port.close();
}

/** The core's server keeps its own port objects. */
function forget(): void {}

/** A client that takes this channel for another one is told so. */
function refuseOpcode(port: ServerPort): true {
  port.refuse(Status.unhandledOpcode);
  port.close();
  return true;
}
