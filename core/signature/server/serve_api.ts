import type { Server } from "../../toggle/server/server.ts";
import type { Functions, HostApi } from "../declare/signature.ts";
import type { AsyncHostFunction, HostFunction } from "../declare/value.ts";
import { type FunctionServices, FunctionTable } from "./function_table.ts";
import { asyncServices, servicesOf } from "./function_services.ts";
import { HostCall, type ObjectOptions, ServedObjects } from "./host_call.ts";

/** The functions of an API, by name. */
export type HostFunctions<Fs extends Functions> = { readonly [K in keyof Fs]: HostFunction<Fs[K]> };

/** As {@linkcode HostFunctions}, which may wait. */
export type AsyncHostFunctions<Fs extends Functions> = {
  readonly [K in keyof Fs]: AsyncHostFunction<Fs[K]>;
};

const CALL_TIMEOUT_SECONDS = 30;

/** An API that a server serves. */
export class ServedApi {
  readonly #table: FunctionTable;
  readonly #objects: ServedObjects;
  readonly #names: readonly string[];

  /** @internal For `serveApi`. */
  constructor(table: FunctionTable, objects: ServedObjects, names: readonly string[]) {
    this.#table = table;
    this.#objects = objects;
    this.#names = names;
  }

  /** How many handles callers hold. */
  get handleCount(): number {
    return this.#objects.handles.count;
  }

  /** Serves the functions no longer; calls that come are refused. */
  [Symbol.dispose](): void {
    for (const name of this.#names) this.#table.remove(name);
  }
}

/**
 * Serves the functions of an API under their names. Clients may be running; they find the functions by
 * `connectApi` with the same declaration.
 *
 * A call is served by this thread, lane after lane, in ascending order. What a function throws fails
 * the call of all its lanes.
 *
 * @throws {RangeError} when the server has a function of the name already; none is served then
 * @throws {TypeError} when a function is missing
 *
 * @example
 * ```ts
 * import { Channel } from "../../toggle/channel.ts";
 * import { Server } from "../../toggle/server/server.ts";
 * import { f64 } from "../declare/kind.ts";
 * import { fn, hostApi } from "../declare/signature.ts";
 * import { serveApi } from "./serve_api.ts";
 * const math = hostApi("math", { hypot: fn([f64, f64], f64) });
 * const server = new Server(Channel.create({ portCount: 1, laneCount: 1 }));
 * serveApi(server, math, { hypot: Math.hypot });
 * ```
 */
export function serveApi<Fs extends Functions>(
  server: Server,
  api: HostApi<Fs>,
  functions: HostFunctions<Fs>,
  options: ObjectOptions = {},
): ServedApi {
  return serve(server, api, { functions, options, servicesOf });
}

/** How functions that may wait are served. */
export interface AsyncServeOptions extends ObjectOptions {
  /** How long a call may take, in seconds; 30 when absent. `Infinity` takes the limit away. */
  readonly timeoutSeconds?: number;
}

/**
 * As {@linkcode serveApi}, with functions that may wait, on a server that runs on an event loop
 * (`serveAsync`). Calls end in any order; the lanes of one call are served one after the other.
 */
export function serveApiAsync<Fs extends Functions>(
  server: Server,
  api: HostApi<Fs>,
  functions: AsyncHostFunctions<Fs>,
  options: AsyncServeOptions = {},
): ServedApi {
  const { timeoutSeconds = CALL_TIMEOUT_SECONDS } = options;
  return serve(server, api, { functions, options, servicesOf: asyncServices(timeoutSeconds) });
}

interface Serving {
  readonly functions: Readonly<Record<string, unknown>>;
  readonly options: ObjectOptions;
  readonly servicesOf: (call: HostCall) => FunctionServices;
}

/** All functions, or none. */
function serve(server: Server, api: HostApi, serving: Serving): ServedApi {
  const objects = new ServedObjects(serving.options);
  const services = Object.entries(api.functions).map(([key, target]) => ({
    target,
    services: serving.servicesOf(new HostCall(target, serving.functions[key], objects)),
  }));
  const table = FunctionTable.of(server);
  const names = services.map(({ target }) => target.name);
  table.checkFree(names);
  for (const { target, services: both } of services) table.add(target, both);
  return new ServedApi(table, objects, names);
}
