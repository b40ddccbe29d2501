import { Channel, Client, type FaultReport, Server } from "../../mod.ts";
import { type Checks, TypedClient, TypedServer } from "../mod.ts";

/** An opcode that the tests use. */
export const OPCODE = 40_000;

/** A client and a server of one channel, in one isolate: each step is taken by hand. */
export interface Pair {
  readonly channel: Channel;
  readonly client: TypedClient;
  readonly server: TypedServer;
  readonly plainClient: Client;
  readonly plainServer: Server;
  /** What the server's host was told. */
  readonly faults: readonly FaultReport[];
}

export function makePair(checks: Checks = "on", portCount = 1): Pair {
  const channel = Channel.create({ portCount, laneCount: 1 });
  const faults: FaultReport[] = [];
  const plainClient = new Client(channel);
  const plainServer = new Server(channel, { onFault: (fault) => faults.push(fault) });
  const client = new TypedClient(plainClient, { checks });
  const server = new TypedServer(plainServer, { checks });
  return { channel, client, server, plainClient, plainServer, faults };
}

/** As {@linkcode makePair}; the server adds 1 to the first word of a call of `OPCODE`. */
export function makeIncrementPair(checks: Checks = "on", portCount = 1): Pair {
  const pair = makePair(checks, portCount);
  pair.server.operatePort(OPCODE, (port) => {
    port.send((packet) => packet.setUint32(0, 0, packet.getUint32(0, 0) + 1)).close();
  });
  return pair;
}
