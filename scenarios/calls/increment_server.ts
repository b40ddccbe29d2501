import { Channel, type ChannelHandle, type Server, type WaiterName } from "../../core/mod.ts";
import { incrementServer } from "./increment.ts";
import type { Partner, PreparedWork, Work } from "../partner/partner.ts";

/** What the partner needs to serve a channel. */
export interface IncrementServerInit {
  readonly handle: ChannelHandle;
  readonly waiter: WaiterName;
}

/** Has the partner serve the channel, from `wake()` to `rest()`, with the core's `Server.serve()`. */
export function assignIncrementServer(
  partner: Partner,
  options: { readonly channel: Channel; readonly waiter: WaiterName },
): Promise<PreparedWork> {
  const { channel, waiter } = options;
  return partner.assign({
    moduleUrl: import.meta.url,
    init: { handle: channel.handle, waiter } satisfies IncrementServerInit,
    signalRest: () => channel.raiseAttention(),
  });
}

/** Runs in the partner's isolate. */
export function prepareWork({ handle, waiter }: IncrementServerInit): Work {
  const channel = Channel.attach(handle);
  return servingWork(channel, incrementServer(channel, waiter));
}

/** Serves until attention is raised. A server that fails stops the channel. */
export function servingWork(channel: Channel, server: Server): Work {
  return () => {
    try {
      server.serve();
    } catch (error) {
      channel.stop(); // without it, the client would wait for ever
      throw error;
    }
  };
}
