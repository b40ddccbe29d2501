import {
  Channel,
  type ChannelHandle,
  type ChannelShape,
  Client,
  Server,
  type WaiterName,
} from "../../core/mod.ts";
import { addServices, IncrementCaller } from "./increment.ts";
import type { Partner, PreparedWork, Work } from "../partner/partner.ts";
import type { Trial } from "../scenario.ts";

/** What the partner needs to serve a channel. */
export interface ServerInit {
  readonly handle: ChannelHandle;
  /** `spin` when absent. */
  readonly waiter?: WaiterName;
}

/** What makes calls, and checks what comes back. */
export interface Caller {
  call(callCount: number): void | Promise<void>;
}

/** Has the partner serve the channel, from `wake()` to `rest()`, with the core's `Server.run()`. */
export function assignIncrementServer(
  partner: Partner,
  options: { readonly channel: Channel; readonly waiter: WaiterName },
): Promise<PreparedWork> {
  const { channel, waiter } = options;
  return partner.assign({
    moduleUrl: import.meta.url,
    init: { handle: channel.handle, waiter } satisfies ServerInit,
    signalRest: () => channel.raiseAttention(),
  });
}

/** Runs in the partner's isolate. */
export function prepareWork(init: ServerInit): Work {
  return servingWith(init, addServices);
}

/** Serves with the services that are added, from `wake()` to `rest()`. */
export function servingWith(
  { handle, waiter = "spin" }: ServerInit,
  addTo: (server: Server, channel: Channel) => void,
): Work {
  const channel = Channel.attach(handle);
  const server = new Server(channel, { waiter });
  addTo(server, channel);
  return servingWork(channel, server);
}

/** Serves until attention is raised. A server that fails stops the channel. */
export function servingWork(channel: Channel, server: Server): Work {
  return () => {
    try {
      server.run();
    } catch (error) {
      channel.stop(); // without it, the client would wait for ever
      throw error;
    }
  };
}

/**
 * A trial of calls on a channel of its own, which a module's work serves in the partner's isolate.
 *
 * @param served `moduleUrl` is this module's when absent; `init` is what its `prepareWork` is given
 * beside the channel's handle
 */
export async function prepareServed(
  shape: ChannelShape,
  partner: Partner,
  served: {
    readonly moduleUrl?: string;
    readonly init?: object;
    readonly callerOf: (channel: Channel) => Caller;
  },
): Promise<Trial> {
  const { moduleUrl = import.meta.url, init, callerOf } = served;
  const channel = Channel.create(shape);
  const { wake, rest } = await partner.assign({
    moduleUrl,
    init: { handle: channel.handle, ...init },
    signalRest: () => channel.raiseAttention(),
  });
  const caller = callerOf(channel);
  return {
    run: (callCount) => caller.call(callCount),
    wake,
    rest,
    [Symbol.asyncDispose]: () => Promise.resolve(channel.shutDown()),
  };
}

/**
 * Prepares the calls of one client to the partner, on a channel of any design, both sides spinning.
 *
 * @param callerOf makes calls on the client; one after another, as {@linkcode IncrementCaller}, when absent
 */
export function prepareCalls(
  shape: ChannelShape,
  partner: Partner,
  callerOf: (client: Client) => Caller = (client) => new IncrementCaller(client),
): Promise<Trial> {
  return prepareServed(shape, partner, {
    callerOf: (channel) => callerOf(new Client(channel, { waiter: "spin" })),
  });
}
