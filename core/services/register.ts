import { Opcode } from "../memory/opcode.ts";
import type { Server } from "../toggle/server/server.ts";
import { registerReserved } from "../toggle/server/service_registry.ts";
import type { ServerPort } from "../toggle/server/server_port.ts";
import { recvBytes, recvBytesAsync } from "../call/stream.ts";
import { denoHost, type Host } from "./host.ts";
import { serveWriteStdout } from "./stdout.ts";

/** The longest text that one lane may write in one call. */
export const WRITE_LIMIT_BYTES = 1 << 20;
const LIMIT = { limitBytes: WRITE_LIMIT_BYTES };

/**
 * Registers the services of this library. A module that `startServer` can load by its URL.
 *
 * `Opcode.writeStdout`: the client sends a stream a lane and receives a packet whose word 0 holds the
 * bytes written.
 *
 * @param host what the services work on; the machine when absent
 *
 * @example
 * ```ts
 * import { Channel } from "../toggle/channel.ts";
 * import { Server } from "../toggle/server/server.ts";
 * import { register } from "./register.ts";
 * register(new Server(Channel.create({ portCount: 1, laneCount: 1 })));
 * ```
 */
export function register(server: Server, host: Host = denoHost): void {
  server[registerReserved](
    Opcode.writeStdout,
    (port) => writeStdout(port, { host, bytesByLane: recvBytes(port, LIMIT) }),
    async (port) => writeStdout(port, { host, bytesByLane: await recvBytesAsync(port, LIMIT) }),
  );
}

function writeStdout(
  port: ServerPort,
  request: { readonly host: Host; readonly bytesByLane: readonly (Uint8Array | undefined)[] },
): void {
  const lanes = new Map<number, Uint8Array>();
  request.bytesByLane.forEach((bytes, lane) => bytes && lanes.set(lane, bytes));
  const written = serveWriteStdout(request.host, lanes);
  port.send((packet) => {
    for (const [lane, countBytes] of written) packet.setUint32(lane, 0, countBytes);
  });
}
