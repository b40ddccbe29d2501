import { Channel } from "../../toggle/channel.ts";
import type { ChannelHandle } from "../../toggle/channel_handle.ts";
import { Client } from "../../toggle/client/client.ts";
import { Server } from "../../toggle/server/server.ts";
import type { FamilyChannel, FamilyClient, FamilyProtocol } from "./family_protocol.ts";
import { inPacket, numberWork } from "./packet_family.ts";

/** The toggle protocol, for the suite. */
export const TOGGLE: FamilyProtocol = {
  create: (portCount) => channelOf(Channel.create({ portCount, laneCount: 1 })),
  attach: (handle: ChannelHandle) => channelOf(Channel.attach(handle)),
};

function channelOf(channel: Channel): FamilyChannel {
  return {
    handle: channel.handle,
    client: () => clientOf(new Client(channel)),
    server: (onFault = () => {}) => {
      const server = new Server(channel, { onFault });
      return {
        operate: (opcode, work) => server.operate(opcode, inPacket(work)),
        serveOnce: () => server.serveOnce(),
        serve() {
          while (server.serve());
        },
      };
    },
    stop: () => channel.stop(),
  };
}

function clientOf(client: Client): FamilyClient {
  return {
    call(opcode, value, options) {
      const { work, answer } = numberWork(value);
      client.call(opcode, work, options);
      return answer();
    },
    async callAsync(opcode, value, options) {
      const { work, answer } = numberWork(value);
      await client.callAsync(opcode, work, options);
      return answer();
    },
    tryCast(opcode, value) {
      const port = client.tryOpen(opcode);
      port?.send(numberWork(value).work.fill).close();
      return port !== undefined;
    },
  };
}
