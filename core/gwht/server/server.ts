import { PacketServer, type PacketServerOptions } from "../../one_packet/packet_server.ts";
import type { Channel } from "../channel.ts";
import { GwhtServerSteps } from "./server_steps.ts";

/**
 * The side that serves a GWHT channel; see `PacketServer` for its operations.
 *
 * @example
 * ```ts
 * import { Channel } from "../channel.ts";
 * import { Server } from "./server.ts";
 * const server = new Server(Channel.create({ slotCount: 1 }));
 * server.operate(40_000, (packet) => packet.setUint32(0, 0, packet.getUint32(0, 0) + 1));
 * if (server.serveOnce()) throw new Error("nobody called");
 * ```
 */
export class Server extends PacketServer {
  /** @throws {TypeError} when no waiter has the name */
  constructor(channel: Channel, options: PacketServerOptions = {}) {
    super(channel, new GwhtServerSteps(channel), options);
  }
}
