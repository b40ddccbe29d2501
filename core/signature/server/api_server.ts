import type { Server } from "../../toggle/server/server.ts";
import { checkOptionNames } from "../../text/nearest.ts";
import { checkTimeout, HANDLER_TIMEOUT_SECONDS } from "../../wait/deadline.ts";
import { type Functions, functionsOf, type HostApi } from "../declare/signature.ts";
import type { AsyncHostFunction, HostFunction, HostObject } from "../declare/value.ts";
import { asyncServices, servicesOf } from "./function_services.ts";
import { type FunctionServices, FunctionTable } from "./function_table.ts";
import { HostCall } from "./host_call.ts";
import { type ObjectOptions, ServedObjects } from "./served_objects.ts";

/** The functions of an API, by name. */
export type HostFunctions<Fs extends Functions> = { readonly [K in keyof Fs]: HostFunction<Fs[K]> };

/** As {@linkcode HostFunctions}, which may wait. */
export type AsyncHostFunctions<Fs extends Functions> = {
  readonly [K in keyof Fs]: AsyncHostFunction<Fs[K]>;
};

/** How functions are served. */
export interface ApiServerOptions extends ObjectOptions {
  /**
   * How long a call may take on an event loop that has to wait, in seconds; 30 when absent. `Infinity` for
   * no limit.
   */
  readonly timeoutSeconds?: number;
}

const OPTIONS = ["limitBytes", "handlesMax", "callbacks", "heap", "timeoutSeconds"];

/** An API that a server serves. */
export class ServedApi {
  readonly #table: FunctionTable;
  #names: readonly string[];

  /** @internal For `ApiServer`. */
  constructor(table: FunctionTable, names: readonly string[]) {
    this.#table = table;
    this.#names = names;
  }

  /** Serves the functions no longer; calls that come are refused. Once: others may have the names then. */
  [Symbol.dispose](): void {
    for (const name of this.#names) this.#table.remove(name);
    this.#names = [];
  }
}

/**
 * Serves functions by their names, with handles and callbacks that all of its APIs share. Clients may be
 * running; they find the functions by `connectApi` with the same declaration.
 *
 * A call is served lane after lane, in ascending order. What a function throws fails the call of all
 * its lanes. Handles are this server's: where several servers share a channel, calls with handles need a
 * channel of their own. What a function made for a handle that no caller gets, as another lane failed or
 * there are too many, is disposed where it has a `Symbol.dispose`.
 *
 * @example
 * ```ts
 * import { Channel } from "../../toggle/channel.ts";
 * import { Server } from "../../toggle/server/server.ts";
 * import { ends, handle, nothing, string } from "../declare/kind.ts";
 * import { fn, hostApi } from "../declare/signature.ts";
 * import { ApiServer } from "./api_server.ts";
 * const logs = hostApi("logs", {
 *   open: fn([string], handle("Log")),
 *   write: fn([handle("Log"), string], nothing),
 *   close: fn([ends("Log")], nothing),
 * });
 * const server = new Server(Channel.create({ portCount: 1, laneCount: 1 }));
 * new ApiServer(server, { handlesMax: 100 }).serve(logs, {
 *   open: (name) => [name],
 *   write: (log: string[], line) => void log.push(line),
 *   close: () => {},
 * });
 * ```
 */
export class ApiServer {
  readonly #server: Server;
  readonly #table: FunctionTable;
  readonly #objects: ServedObjects;
  readonly #timeoutSeconds: number;

  /**
   * Begins to answer questions for names.
   *
   * @throws {RangeError} when a limit is none, or two callbacks have one hash
   */
  constructor(server: Server, options: ApiServerOptions = {}) {
    checkOptionNames("serve functions", options, OPTIONS);
    const { timeoutSeconds = HANDLER_TIMEOUT_SECONDS } = options;
    checkTimeout("timeoutSeconds", timeoutSeconds);
    this.#objects = new ServedObjects(options);
    this.#timeoutSeconds = timeoutSeconds;
    this.#server = server;
    this.#table = FunctionTable.of(server);
  }

  /** How many handles callers hold. */
  get handleCount(): number {
    return this.#objects.handles.count;
  }

  /**
   * What is behind a handle that came among bytes, in an array of them for example.
   *
   * @throws {RangeError} when it never was, has ended, or is of something else
   */
  objectOf(name: string, handle: number): HostObject {
    return this.#objects.handles.get(name, handle);
  }

  /**
   * The `id` of the client whose call is served, for functions that keep something for each: of use
   * inside of a function, in one that waits until its first wait. 0 when that client has gone.
   */
  get callerId(): number {
    return this.#server.clientIdAt(this.#objects.portIndex);
  }

  /**
   * Ends the handle of an object that the host takes back, because nobody else will: callers that go on
   * with it are refused. Of an object without a handle, nothing.
   *
   * @param name what it is a handle of
   */
  takeBack(name: string, object: unknown): void {
    this.#objects.handles.drop(name, object);
  }

  /**
   * Serves the functions of an API, all or none. A function that cannot answer yet may return a `Pending`
   * of its result (of `null`, where it has none): others are served meanwhile, and the lanes of one call
   * go on together. The bytes and structs that it got are its own until then.
   *
   * @throws {RangeError} when the server has a function of a name already
   * @throws {TypeError} when a function is missing
   */
  serve<Fs extends Functions>(api: HostApi<Fs>, functions: HostFunctions<Fs>): ServedApi {
    return this.#serve(api, functions, servicesOf(this.#timeoutSeconds));
  }

  /**
   * As {@linkcode serve}, with functions that may wait, on a server that runs on an event loop
   * (`runAsync`). Calls end in any order; the lanes of one call are served one after the other.
   */
  serveAsync<Fs extends Functions>(api: HostApi<Fs>, functions: AsyncHostFunctions<Fs>): ServedApi {
    return this.#serve(api, functions, asyncServices(this.#timeoutSeconds));
  }

  #serve(
    api: HostApi,
    functions: Readonly<Record<string, unknown>>,
    services: (call: HostCall) => FunctionServices,
  ): ServedApi {
    const entries = functionsOf(api).map(([key, target]) => ({
      target,
      services: services(new HostCall(target, ownOf(functions, key), this.#objects)),
    }));
    const names = entries.map(({ target }) => target.name);
    this.#table.checkFree(names);
    for (const entry of entries) this.#table.add(entry.target, entry.services);
    return new ServedApi(this.#table, names);
  }
}

/** A function that somebody gave: every object has a `constructor` and a `toString`. */
function ownOf(functions: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(Object(functions), key) ? functions[key] : undefined;
}

/**
 * Serves the functions of an API, with handles of its own and without callbacks: for more, see
 * {@linkcode ApiServer}.
 *
 * @throws as `ApiServer.serve`
 *
 * @example
 * ```ts
 * import { Channel } from "../../toggle/channel.ts";
 * import { Server } from "../../toggle/server/server.ts";
 * import { f64 } from "../declare/kind.ts";
 * import { fn, hostApi } from "../declare/signature.ts";
 * import { serveApi } from "./api_server.ts";
 * const math = hostApi("math", { hypot: fn([f64, f64], f64) });
 * const server = new Server(Channel.create({ portCount: 1, laneCount: 1 }));
 * serveApi(server, math, { hypot: Math.hypot });
 * ```
 */
export function serveApi<Fs extends Functions>(
  server: Server,
  api: HostApi<Fs>,
  functions: HostFunctions<Fs>,
): ServedApi {
  return new ApiServer(server).serve(api, functions);
}
