import { Opcode } from "../memory/opcode.ts";
import type { Server } from "../toggle/server/server.ts";
import { registerReserved } from "../toggle/server/service_registry.ts";
import type { ServerPort } from "../toggle/server/server_port.ts";
import { recvBytes } from "../call/stream.ts";
import { denoHost, type Host } from "./host.ts";
import { servePrintf } from "./printf.ts";
import { serveWriteStdout } from "./stdout.ts";

/** The longest text that one lane may write in one call. */
export const WRITE_LIMIT_BYTES = 1 << 20;

/**
 * Registers the services of this library. A module that `startServer` can load by its URL.
 *
 * `Opcode.writeStdout`: the client sends a stream a lane and receives a packet whose word 0 holds the
 * bytes written. `Opcode.printf`: the same, with a format and numbers in the stream.
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
  server[registerReserved](Opcode.writeStdout, (port) => writeStdout(port, host, (bytes) => bytes));
  server[registerReserved](Opcode.printf, (port) => writeStdout(port, host, servePrintf));
}

function writeStdout(
  port: ServerPort<"fresh">,
  host: Host,
  textOf: (stream: Uint8Array) => Uint8Array,
): void {
  const bytesByLane = recvBytes(port, { limitBytes: WRITE_LIMIT_BYTES });
  const lanes = new Map<number, Uint8Array>();
  bytesByLane.forEach((bytes, lane) => bytes && lanes.set(lane, textOf(bytes)));
  const written = serveWriteStdout(host, lanes);
  port.send((packet) => {
    for (const [lane, countBytes] of written) packet.setUint32(lane, 0, countBytes);
  });
}
