import { checkOptionNames } from "../../text/nearest.ts";
import type { Client } from "../../toggle/client/client.ts";
import {
  type Functions,
  type FunctionSignature,
  functionsOf,
  type HostApi,
} from "../declare/signature.ts";
import type { ArgumentsOf, ResultOf } from "../declare/value.ts";
import { type ConnectOptions, FunctionClient } from "./function_client.ts";

/** The arguments of a function as its callers give them. */
export type Given<F> = F extends FunctionSignature<infer Ps> ? ArgumentsOf<Ps> : never;
/** What a function gives to its callers. */
export type Answer<F> = F extends FunctionSignature<infer _, infer R> ? ResultOf<R> : never;

/** A function of a server's, as a function of this worker's. */
export interface HostStub<F extends FunctionSignature = FunctionSignature> {
  /**
   * Calls it. Blocks.
   *
   * @throws {TypeError} when an argument is none of its kind, before anything is sent
   * @throws {ErrnoError} when it failed and its signature says how that is seen
   * @throws {CallError} when the server refused, threw or is gone
   */
  (...given: Given<F>): Answer<F>;
  /** As a call, without blocking the event loop. */
  async(...given: Given<F>): Promise<Answer<F>>;
  /**
   * Calls it by several lanes at once, with the arguments of each; `undefined` for one that takes no
   * part. Blocks. A lane that failed has the value of a failure, and `errno` is that of the first.
   */
  lanes(calls: readonly (Given<F> | undefined)[]): (Answer<F> | undefined)[];
  /** C's `errno` of the last call that ended; 0 when it went well. */
  readonly errno: number;
  /** The opcode of its calls by lanes. The server is asked for it once. Blocks. */
  readonly opcode: number;
}

/** The functions of an API, ready to be called. */
export type HostStubs<Fs extends Functions> = { readonly [K in keyof Fs]: HostStub<Fs[K]> };

/**
 * Makes the functions of an API callable. Asks the server for nothing yet: each function is found by
 * its name when it is called first, so that a server may begin to serve it later.
 *
 * @param options limits of every call; `limitBytes` of a text that comes back
 * @throws {TypeError} when the API is none that `hostApi` made
 *
 * @example
 * ```ts
 * import { Channel } from "../../toggle/channel.ts";
 * import { Client } from "../../toggle/client/client.ts";
 * import { Server } from "../../toggle/server/server.ts";
 * import { f64 } from "../declare/kind.ts";
 * import { fn, hostApi } from "../declare/signature.ts";
 * import { serveApi } from "../server/api_server.ts";
 * import { connectApi } from "./connect_api.ts";
 *
 * const math = hostApi("math", { hypot: fn([f64, f64], f64) });
 * const channel = Channel.create({ portCount: 4, laneCount: 1 });
 * const server = new Server(channel); // usually in another worker, see startServer()
 * serveApi(server, math, { hypot: Math.hypot });
 * const served = server.runAsync();
 *
 * const { hypot } = connectApi(new Client(channel), math);
 * if (await hypot.async(3, 4) !== 5) throw new Error("3, 4, 5"); // hypot(3, 4) in a worker
 * channel.shutDown();
 * await served;
 * ```
 */
export function connectApi<Fs extends Functions>(
  client: Client,
  api: HostApi<Fs>,
  options: ConnectOptions = {},
): HostStubs<Fs> {
  checkOptionNames("call functions", options, ["timeoutSeconds", "signal", "limitBytes"]);
  const stubs = functionsOf(api).map(([key, target]) =>
    [key, stubOf(new FunctionClient(client, target, options))] as const
  );
  return Object.freeze(Object.fromEntries(stubs)) as unknown as HostStubs<Fs>;
}

function stubOf(calls: FunctionClient): HostStub {
  return Object.defineProperties(caller(calls), {
    async: { value: (...given: unknown[]) => calls.callAsync(given) },
    lanes: {
      value: (given: readonly (readonly unknown[] | undefined)[]) => calls.callLanes(given),
    },
    errno: { get: () => calls.errno },
    opcode: { get: () => calls.opcode },
  }) as unknown as HostStub;
}

/** The function that is called: for few arguments without an array of them, which takes a tenth of a call. */
function caller(calls: FunctionClient): (...given: unknown[]) => unknown {
  const { flat, shape: { argumentCount } } = calls;
  const any = (...given: unknown[]) => calls.call(given);
  if (!flat || argumentCount === 0 || argumentCount > 3) return any;
  const { given } = flat;
  return function (first, second, third) {
    if (arguments.length !== argumentCount) return any(...arguments);
    given[0] = first;
    if (argumentCount > 1) given[1] = second;
    if (argumentCount > 2) given[2] = third;
    return calls.callFlat(flat);
  };
}
