import { Channel } from "../../toggle/channel.ts";
import type { ChannelHandle } from "../../toggle/channel_handle.ts";
import { Client } from "../../toggle/client/client.ts";
import { Server } from "../../toggle/server/server.ts";
import type { FamilyChannel, FamilyProtocol } from "./family_protocol.ts";
import { type ClientEnd, packetChannel } from "./packet_family.ts";

/** The toggle protocol, for the suite. */
export const TOGGLE: FamilyProtocol = {
  create: (portCount) => channelOf(Channel.create({ portCount, laneCount: 1 })),
  attach: (handle: ChannelHandle) => channelOf(Channel.attach(handle)),
};

function channelOf(channel: Channel): FamilyChannel {
  return packetChannel(channel, {
    handle: channel.handle,
    client: () => clientEnd(new Client(channel)),
    server: (onFault) => {
      const server = new Server(channel, { onFault });
      return {
        operate: (opcode, work) => server.operate(opcode, work),
        runOnce: () => server.runOnce(),
        run() {
          while (server.run());
        },
      };
    },
  });
}

function clientEnd(client: Client): ClientEnd {
  return {
    call: (opcode, work, options) => client.call(opcode, work, options),
    callAsync: (opcode, work, options) => client.callAsync(opcode, work, options),
    tryCast(opcode, fill) {
      const port = client.tryOpen(opcode);
      port?.send(fill).close();
      return port !== undefined;
    },
  };
}
