import type { Server } from "../toggle/server/server.ts";

/**
 * The services that the README's examples call; a module for `startServer`.
 *
 * 40000 adds one to word 0, 40001 sends a stream back as it came, 40002 turns bytes round.
 *
 * @example
 * ```ts
 * import { Channel } from "../toggle/channel.ts";
 * import { Server } from "../toggle/server/server.ts";
 * import { addServices } from "./example.ts";
 * addServices(new Server(Channel.create({ portCount: 1, laneCount: 1 })));
 * ```
 */
export function addServices(server: Server): void {
  server.operate(40_000, (packet) => packet.setUint32(0, 0, packet.getUint32(0, 0) + 1));
  server.operateStream(40_001, (bytesByLane) => bytesByLane);
  server.operateMessage(40_002, (bytes) => bytes.toReversed());
}
