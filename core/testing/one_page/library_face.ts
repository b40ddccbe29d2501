import type { CoreModule } from "../explorer/changed_core.ts";
import type { PacketWork } from "../../memory/packet.ts";
import { Status } from "../../memory/status.ts";
import type { Channel } from "../../toggle/channel.ts";
import type { Client } from "../../toggle/client/client.ts";
import type { CallOptions } from "../../toggle/client/client_call.ts";
import type { Port } from "../../toggle/one_page.ts";
import type { Server } from "../../toggle/server/server.ts";

/** The core as it is, or another copy of it. */
type PageModule = Pick<CoreModule, "onePage">;

/** A client of the one page, with as much of the library's methods as tests and models use. */
export function clientOfPage({ onePage }: PageModule, channel: Channel): Client {
  const page = new onePage.Client(channel);
  const open = (opcode: number, options?: CallOptions) => {
    const port = page.open(opcode, options);
    return Object.assign(port, { [Symbol.dispose]: () => port.close() });
  };
  const client = {
    id: 0,
    open,
    call: page.call.bind(page),
    cast: (opcode: number, fill: PacketWork, options?: CallOptions) =>
      open(opcode, options).send(fill).close(),
  };
  return client as unknown as Client;
}

/** As {@linkcode clientOfPage}, a server: with a table of services, and a status for what is not in it. */
export function serverOfPage({ onePage }: PageModule, channel: Channel): Server {
  const page = new onePage.Server(channel);
  const handlers = new Map<number, (port: Port) => void>();
  const refuse = (port: Port) => port.refuse(Status.unhandledOpcode);
  const answer = (port: Port) => (handlers.get(port.opcode) ?? refuse)(port);
  const server = {
    operate: (opcode: number, work: PacketWork) =>
      handlers.set(opcode, (port) => void port.recv(work)),
    operatePort: (opcode: number, handler: (port: Port) => void) => handlers.set(opcode, handler),
    run: () => page.run(answer),
  };
  return server as unknown as Server;
}
