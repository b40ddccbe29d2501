import type { PacketChannel, PacketHandle, PacketMemory } from "../../one_packet/packet_channel.ts";
import type { PacketClient } from "../../one_packet/packet_client.ts";
import type { PacketProtocol } from "../../one_packet/packet_format.ts";
import type { PacketFault, PacketServer } from "../../one_packet/packet_server.ts";
import type { CallWork, Packet } from "../../memory/packet.ts";
import type {
  FamilyChannel,
  FamilyClient,
  FamilyProtocol,
  FamilyServer,
} from "./family_protocol.ts";

/** A protocol of packets, for the suite. */
export function packetFamily<Memory extends PacketMemory>(
  protocol: PacketProtocol<Memory>,
): FamilyProtocol {
  const channelOf = (channel: PacketChannel<Memory>): FamilyChannel =>
    packetChannel(channel, {
      handle: channel.handle,
      client: () => protocol.client(channel),
      server: (onFault) => protocol.server(channel, { onFault }),
    });
  return {
    create: (packetCount) => channelOf(protocol.create({ packetCount, laneCount: 1 })),
    attach: (handle: PacketHandle<Memory>) => channelOf(protocol.attach(handle)),
  };
}

/** What the suite uses of a client. */
export type ClientEnd = Pick<PacketClient, "call" | "callAsync" | "tryCast">;
/** What the suite uses of a server. */
type ServerEnd = Pick<PacketServer, "operate" | "runOnce" | "run">;

/** How a protocol of packets makes its ends. */
interface PacketEnds {
  readonly handle: FamilyChannel["handle"];
  readonly client: () => ClientEnd;
  readonly server: (onFault: (fault: Pick<PacketFault, "cause">) => void) => ServerEnd;
}

/** A channel of a protocol of packets, for the suite. */
export function packetChannel(
  channel: { stop(): void },
  { handle, client, server }: PacketEnds,
): FamilyChannel {
  return {
    handle,
    client: () => clientOf(client()),
    server: (onFault = () => {}) => serverOf(server(onFault)),
    stop: () => channel.stop(),
  };
}

function clientOf(client: ClientEnd): FamilyClient {
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
    tryCast: (opcode, value) => client.tryCast(opcode, numberWork(value).work.fill),
  };
}

function serverOf(server: ServerEnd): FamilyServer {
  return {
    operate: (opcode, work) => server.operate(opcode, inPacket(work)),
    runOnce: () => server.runOnce(),
    run: () => server.run(),
  };
}

/** A number in the first word of the packet, and how to learn the answer. */
function numberWork(
  value: number,
): { readonly work: CallWork; readonly answer: () => number } {
  let answer = NaN;
  return {
    work: {
      fill: (packet: Packet) => packet.setUint32(0, 0, value),
      use: (packet: Packet) => void (answer = packet.getUint32(0, 0)),
    },
    answer: () => answer,
  };
}

/** A function of numbers as one that works on the packet. */
function inPacket(work: (value: number) => number): (packet: Packet) => void {
  return (packet) => packet.setUint32(0, 0, work(packet.getUint32(0, 0)));
}
