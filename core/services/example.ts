import { recvBytes, sendBytes } from "../call/stream.ts";
import type { Server } from "../toggle/server/server.ts";

/** The longest stream and the longest bytes that the examples take. */
const LIMIT_BYTES = 1 << 20;

/**
 * The services that the README's examples call; a module for `startServer`.
 *
 * 40000 adds one to word 0, 40001 sends a stream back as it came, 40002 turns bytes round.
 *
 * @example
 * ```ts
 * import { Channel } from "../toggle/channel.ts";
 * import { Server } from "../toggle/server/server.ts";
 * import { register } from "./example.ts";
 * register(new Server(Channel.create({ portCount: 1, laneCount: 1 })));
 * ```
 */
export function register(server: Server): void {
  server.operate(40_000, (packet) => packet.setUint32(0, 0, packet.getUint32(0, 0) + 1));
  server.register(40_001, (port) => {
    sendBytes(port, recvBytes(port, { limitBytes: LIMIT_BYTES }));
  });
  server.operateBytes(40_002, (bytes) => bytes.toReversed(), { limitBytes: LIMIT_BYTES });
}
