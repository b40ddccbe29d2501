/** Functions that are declared, served and called in a line, for tests. */
import { type OneThread, oneThread } from "../../testing/fixtures/one_thread.ts";
import { Channel } from "../../toggle/channel.ts";
import { Client } from "../../toggle/client/client.ts";
import type { ChannelShape } from "../../toggle/layout.ts";
import { Server } from "../../toggle/server/server.ts";
import { connectApi, type HostStubs } from "../client/connect_api.ts";
import * as kind from "../declare/kind.ts";
import {
  type ApiFunction,
  fn,
  type FunctionOptions,
  type Functions,
  type HostApi,
  hostApi,
} from "../declare/signature.ts";
import {
  ApiServer,
  type ApiServerOptions,
  type HostFunctions,
  type ServedApi,
} from "../server/api_server.ts";
import { functionOpcode } from "../server/function_table.ts";

/** With 64 lanes each message fits one packet, which one thread can serve. */
const SHAPE: ChannelShape = { portCount: 4, laneCount: 64 };

/** How an API is served. */
export interface ServedOptions extends ApiServerOptions {
  readonly shape?: ChannelShape;
}

/** Both sides of an API in one thread. */
export interface Served<Fs extends Functions> extends OneThread {
  readonly host: ApiServer;
  readonly served: ServedApi;
  readonly stubs: HostStubs<Fs>;
}

/** The function `a.f`. */
export function declared(
  parameters: readonly kind.Parameter[],
  result: kind.Result = kind.nothing,
  options: FunctionOptions = {},
): ApiFunction {
  return hostApi("a", { f: fn(parameters, result, options) }).functions.f as ApiFunction;
}

/** Serves an API in this thread, which calls it. */
export function serveHere<Fs extends Functions>(
  api: HostApi<Fs>,
  functions: HostFunctions<Fs>,
  { shape = SHAPE, ...options }: ServedOptions = {},
): Served<Fs> {
  const thread = oneThread(shape);
  const host = new ApiServer(thread.server, options);
  const served = host.serve(api, functions);
  return { ...thread, host, served, stubs: connectApi(thread.client, api) };
}

/** A server on the event loop, until it is disposed. */
export class LoopServer implements AsyncDisposable {
  readonly channel: Channel;
  readonly client: Client;
  readonly host: ApiServer;
  readonly #served: Promise<unknown>;

  /** @param serve gives it its functions */
  constructor(serve: (host: ApiServer) => void, options: ServedOptions = {}) {
    const { shape = SHAPE, ...limits } = options;
    this.channel = Channel.create(shape);
    const server = new Server(this.channel);
    this.client = new Client(this.channel);
    this.host = new ApiServer(server, limits);
    serve(this.host);
    this.#served = server.runAsync();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.channel.shutDown();
    await this.#served;
  }
}

/** A module that declares and serves functions, with the library as `s`. */
export function moduleOf(source: string): string {
  const imports = `import * as s from "${new URL("../mod.ts", import.meta.url)}";
    import { Pending } from "${new URL("../../toggle/pending/pending.ts", import.meta.url)}";`;
  return "data:text/javascript," + encodeURIComponent(imports + source);
}

/** Two functions of `a` that have one opcode. */
export function meetingNames(): readonly [string, string] {
  const seen = new Map<number, string>();
  for (let index = 0;; index++) {
    const opcode = functionOpcode(`a.f${index}`);
    const other = seen.get(opcode);
    if (other) return [other, `f${index}`];
    seen.set(opcode, `f${index}`);
  }
}
