import { Channel, type ChannelHandle, type Server, type WaiterName } from "../../core/mod.ts";
import { incrementServer } from "./increment.ts";
import type { Partner, PreparedWork, Work } from "../partner/partner.ts";

/** What the partner needs to serve a channel. */
export interface IncrementServerInit {
  readonly handle: ChannelHandle;
  readonly waiter: WaiterName;
}

/** Has the partner serve the channel, whenever it is awake, with the real `Server.serve()`. */
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

/** The partner's half. */
export function prepareWork({ handle, waiter }: IncrementServerInit): Work {
  const channel = Channel.attach(handle);
  return servingWork(channel, incrementServer(channel, waiter));
}

/** Serves until attention is raised; when that fails, the client learns of it. */
export function servingWork(channel: Channel, server: Server): Work {
  return () => {
    try {
      server.serve();
    } catch (error) {
      channel.stop(); // releases the client, which would wait for good
      throw error;
    }
  };
}
