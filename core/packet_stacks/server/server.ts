import type { PacketChannel } from "../../one_packet/packet_channel.ts";
import { PacketServer, type PacketServerOptions } from "../../one_packet/packet_server.ts";
import type { StacksLayout } from "../layout.ts";
import { StacksServerSteps } from "./server_steps.ts";

/**
 * The side that serves packet stacks; see `PacketServer` for its operations. It takes all packets that
 * are ready at once, as the original does: one that stops serving keeps those that it has not served.
 *
 * @example
 * ```ts
 * import { Channel } from "../channel.ts";
 * import { Server } from "./server.ts";
 * const server = new Server(Channel.create({ packetCount: 1, laneCount: 1 }));
 * server.operate(40_000, (packet) => packet.setUint32(0, 0, packet.getUint32(0, 0) + 1));
 * if (server.serveOnce()) throw new Error("nobody called");
 * ```
 */
export class Server extends PacketServer {
  /** @throws {TypeError} when no waiter has the name */
  constructor(channel: PacketChannel<StacksLayout>, options: PacketServerOptions = {}) {
    super(channel, new StacksServerSteps(channel), options);
  }
}
