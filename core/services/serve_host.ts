import { LIMIT_BYTES } from "../call/limit.ts";
import { Opcode } from "../memory/opcode.ts";
import type { Server } from "../toggle/server/server.ts";
import { HANDLER_TIMEOUT_SECONDS } from "../wait/deadline.ts";
import { checkOwnServer, serveReserved } from "../toggle/server/service_registry.ts";
import type { TextWriter } from "../text/text_writer.ts";
import { denoHost, type Host } from "./host.ts";
import { PrintfStreams } from "./printf.ts";
import { type StreamText, TextService } from "./text_service.ts";

/**
 * Puts the services of this library behind a server.
 *
 * `Opcode.writeStdout`: the client sends a stream a lane and receives a packet whose word 0 holds the
 * bytes written. `Opcode.printf`: the same, with formats and numbers in the stream.
 *
 * @param host what the services work on; the machine when absent
 *
 * @example
 * ```ts
 * import { Channel } from "../toggle/channel.ts";
 * import { Server } from "../toggle/server/server.ts";
 * import { serveHost } from "./serve_host.ts";
 * serveHost(new Server(Channel.create({ portCount: 1, laneCount: 1 })));
 * ```
 */
export function serveHost(server: Server, host: Host = denoHost): void {
  checkOwnServer(server);
  const printfs = new PrintfStreams();
  serveText(server, Opcode.writeStdout, textService(host, addBytes));
  serveText(server, Opcode.printf, textService(host, printfs.addTo.bind(printfs)));
}

/** As {@linkcode serveHost} on the machine: this module is one that `startServer` loads by its URL. */
export function addServices(server: Server): void {
  serveHost(server);
}

function textService(host: Host, textOf: StreamText): TextService {
  return new TextService(host, { limitBytes: LIMIT_BYTES, textOf });
}

/** A stream that is the text itself. */
function addBytes(writer: TextWriter, { buffer, byteOffset }: DataView, streamBytes: number): void {
  writer.add(new Uint8Array(buffer, byteOffset, streamBytes));
}

function serveText(server: Server, opcode: Opcode, service: TextService): void {
  server[serveReserved](opcode, {
    handler: (port) => service.serve(port),
    asynchronous: {
      handler: (port) => service.serveAsync(port),
      timeoutSeconds: HANDLER_TIMEOUT_SECONDS,
    },
  });
}
