import { Channel } from "../channel.ts";
import { Client } from "../client.ts";
import type { ChannelShape } from "../layout.ts";
import type { ServerFault } from "../dispatch.ts";
import { Server } from "../server.ts";
import type { PortWaiter } from "../wait.ts";

/** Client and server of one channel in one thread: while the client waits, the server serves. */
export interface OneThread {
  readonly channel: Channel;
  readonly client: Client;
  readonly server: Server;
  readonly faults: readonly ServerFault[];
}

/**
 * Builds both ends. For calls of one packet there and back, and for streams from the client; a
 * handler that must wait for its client in the middle of a call finds nobody to run it.
 */
export function oneThread(shape: ChannelShape): OneThread {
  const channel = Channel.create(shape);
  const faults: ServerFault[] = [];
  const server = new Server(channel, { onFault: (fault) => faults.push(fault) });
  const waiter: PortWaiter = {
    wait(_index, _foreign, guard) {
      if (!server.serveOnce()) guard();
    },
    waitAsync: () => Promise.resolve(void server.serveOnce()),
  };
  return { channel, client: new Client(channel, { waiter }), server, faults };
}
