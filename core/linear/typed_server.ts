import { assert, InvariantError } from "../memory/assert.ts";
import { Opcode } from "../memory/opcode.ts";
import type { Server } from "../toggle/server/server.ts";
import type { Handler } from "../toggle/server/service_table.ts";
import type { ServerPort } from "../toggle/server/server_port.ts";
import { Status } from "../memory/status.ts";
import { refusePromise, type SyncResult, tellListener } from "../memory/sync_result.ts";
import { LengthRefusedError } from "../call/limit.ts";
import { handle, type HandleWork } from "./four_callbacks.ts";
import type { Maybe } from "./maybe.ts";
import { Place } from "./port/consumption.ts";
import { type Checks, PortMaker } from "./port/port_maker.ts";
import type { PartialPort } from "./port/typed_port.ts";

/**
 * Serves one call on a typed port, which it consumes: `(port) => port.send(work).close()`.
 * Synchronous. What it throws reaches the client as a `CallError`.
 */
export type TypedHandler = (port: PartialPort<true>) => SyncResult;

/** How a {@linkcode TypedServer} treats what goes wrong. */
export interface TypedServerOptions {
  /** `on` when absent. */
  readonly checks?: Checks;
  /**
   * Told when a handler broke the rules of its port, left it open or used a name of it again, and the
   * client does not learn of it: it has the reply already, or looks for none. When absent, the error is one that nobody caught: an
   * `error` event of the global scope, which ends the thread in Deno and Node unless it is prevented.
   */
  readonly onMisuse?: (error: Error) => void;
}

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
  readonly #onMisuse: (error: Error) => void;
  /** Of ports that a handler is given: the server closes them when the handler has returned. */
  readonly #givenMaker: PortMaker<ServerPort>;
  /** Of ports that the program opened itself. */
  readonly #openedMaker: PortMaker<ServerPort>;

  /**
   * Types the ports of a server.
   *
   * @throws {TypeError} when checks are neither `on` nor `off`
   */
  constructor(server: Server, options: TypedServerOptions = {}) {
    const { checks = "on", onMisuse = reportUncaught } = options;
    this.#server = server;
    this.#onMisuse = onMisuse;
    this.#givenMaker = new PortMaker(checks, { onFailure: refuse, onClosed: forget });
    this.#openedMaker = new PortMaker(checks, { onFailure: refuseAndClose, onClosed: forget });
  }

  /**
   * Sets what serves an opcode, in place of an earlier service.
   *
   * With checks on, a handler that leaves its port open, or uses a name of it again, fails its call.
   * A client that has its reply already, or looks for none, cannot be told: `onMisuse` is, by default
   * as of an error that nobody caught. Without checks a port that was left open is closed.
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
    if (!maker.isChecked) return (port) => handler(maker.trusting(port.accept()));
    const setAt = new Place("operatePort()", this.operatePort);
    return (port) => this.#serveChecked(port.accept(), handler, setAt);
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
   * Asserts that every port was closed: those from `tryOpen`, and those of the handlers, each of
   * which consumed its port before it returned, and once. Without checks nobody knows, and it passes.
   *
   * @throws {InvariantError} that names each open port and the line that opened it, or the lines
   *   that set the handlers that broke an invariant
   */
  assertNoneOpen(): void {
    this.#openedMaker.openPorts.assertNone();
    this.#givenMaker.openPorts.assertNone();
  }

  /** As {@linkcode assertNoneOpen}, at the end of a block. */
  [Symbol.dispose](): void {
    this.assertNoneOpen();
  }

  #typed(port: ServerPort<"fresh"> | undefined): Maybe<PartialPort<true>> {
    return this.#openedMaker.maybe(port?.accept(), "tryOpen()", this.tryOpen);
  }

  #serveChecked(port: ServerPort<"mine">, handler: TypedHandler, setAt: Place): void {
    const { openPorts } = this.#givenMaker;
    const typed = this.#givenMaker.checked(port, setAt);
    try {
      refusePromise(handler(typed), "a handler"); // before the port, which it cannot have consumed
      const isLeft = openPorts.end(port);
      assert(!isLeft, `a handler has consumed its port when it returns: that of ${setAt} has not`);
    } catch (error) {
      openPorts.end(port);
      if (error instanceof InvariantError) {
        openPorts.noteMisuse(setAt, error);
        if (!port.hasBuffer || !port.isAwaited) tellListener(this.#onMisuse, error);
      }
      throw error;
    }
  }
}

/**
 * Not left to the event loop where that can be helped: it stands still while a server of a worker
 * serves.
 */
function reportUncaught(error: Error): void {
  if (!globalThis.reportError) throw error; // by tellListener, as soon as the event loop turns
  reportError(error);
}

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
