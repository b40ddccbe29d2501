import {
  COMMAND_RING,
  type PacketChannel,
  RingClient,
  type RingLayout,
  RingServer,
} from "../../command_ring/mod.ts";
import type { PacketHandle } from "../../one_packet/packet_channel.ts";
import type { FamilyChannel, FamilyClient, FamilyProtocol } from "./family_protocol.ts";

/** The command ring, for the suite: an opcode is a name, and a number four bytes. */
export const RING: FamilyProtocol = {
  hasOneServer: true,
  create: (count) => channelOf(COMMAND_RING.create({ slotCount: count, cellCount: count })),
  attach: (handle: PacketHandle<RingLayout>) => channelOf(COMMAND_RING.attach(handle)),
};

function channelOf(channel: PacketChannel<RingLayout>): FamilyChannel {
  return {
    handle: channel.handle,
    client: () => clientOf(new RingClient(channel)),
    server: (onFault = () => {}) => {
      const server = new RingServer(channel, { onFault });
      return {
        operate: (opcode, work) =>
          server.register(nameOf(opcode), (bytes) => work(numberOf(bytes))),
        runOnce: () => server.runOnce(),
        run: () => server.run(),
      };
    },
    stop: () => channel.stop(),
  };
}

function clientOf(client: RingClient): FamilyClient {
  return {
    call: (opcode, value, options) => Number(client.call(nameOf(opcode), bytesOf(value), options)),
    callAsync: async (opcode, value, options) =>
      Number(await client.callAsync(nameOf(opcode), bytesOf(value), options)),
    tryCast: (opcode, value) => client.tryCast(nameOf(opcode), bytesOf(value)) === "sent",
  };
}

function nameOf(opcode: number): string {
  return `operation ${opcode}`;
}

function bytesOf(value: number): Uint8Array {
  return new Uint8Array(Uint32Array.of(value).buffer);
}

/** Garbage in memory may leave fewer bytes. */
function numberOf(bytes: Uint8Array): number {
  return new DataView(Uint8Array.of(...bytes.slice(0, 4), 0, 0, 0, 0).buffer).getUint32(0, true);
}
