import { Opcode } from "../memory/opcode.ts";
import type { Server } from "../toggle/server/server.ts";
import { HANDLER_TIMEOUT_SECONDS, registerReserved } from "../toggle/server/service_registry.ts";
import type { ServerPort } from "../toggle/server/server_port.ts";
import { recvBytes, recvBytesAsync } from "../call/stream.ts";
import { denoHost, type Host } from "./host.ts";
import { servePrintf } from "./printf.ts";
import { serveWriteStdout } from "./stdout.ts";

/** The longest text that one lane may write in one call. */
export const WRITE_LIMIT_BYTES = 1 << 20;
const LIMIT = { limitBytes: WRITE_LIMIT_BYTES };

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
  serveText(server, Opcode.writeStdout, { host, textOf: (bytes) => bytes });
  serveText(server, Opcode.printf, { host, textOf: servePrintf });
}

/** What becomes of the stream of a lane. */
interface TextService {
  readonly host: Host;
  readonly textOf: (stream: Uint8Array) => Uint8Array;
}

function serveText(server: Server, opcode: Opcode, service: TextService): void {
  server[registerReserved](opcode, {
    handler: (port) => writeStdout(port, recvBytes(port, LIMIT), service),
    asynchronous: {
      handler: async (port) => writeStdout(port, await recvBytesAsync(port, LIMIT), service),
      timeoutSeconds: HANDLER_TIMEOUT_SECONDS,
    },
  });
}

function writeStdout(
  port: ServerPort,
  bytesByLane: readonly (Uint8Array | undefined)[],
  { host, textOf }: TextService,
): void {
  const lanes = new Map<number, Uint8Array>();
  bytesByLane.forEach((bytes, lane) => bytes && lanes.set(lane, textOf(bytes)));
  const written = serveWriteStdout(host, lanes);
  port.send((packet) => {
    for (const [lane, countBytes] of written) packet.setUint32(lane, 0, countBytes);
  });
}
