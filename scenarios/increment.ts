import type { Channel, Client, Packet, ServerPort } from "../core/mod.ts";
import { Server, USER_OPCODE_FIRST, type WaiterName } from "../core/mod.ts";

/** The call that scenarios make: one word of each lane that takes part comes back one larger. */
export const INCREMENT_OPCODE = USER_OPCODE_FIRST;
/** Numbers stay below 2^30, where V8 keeps them out of the heap. */
const VALUE_MAX = 0x3fffffff;

/** A real server of the channel that knows the call. */
export function incrementServer(channel: Channel, waiter: WaiterName): Server {
  const server = new Server(channel, { waiter });
  server.register(INCREMENT_OPCODE, serveIncrement);
  return server;
}

function serveIncrement(port: ServerPort<"fresh">): void {
  port.recvAndSend(incrementLanes);
}

/** The server's work on the packet of a call. */
export function incrementLanes(packet: Packet): void {
  for (let lane = packet.firstLane; lane < packet.laneCount; lane = packet.nextLane(lane)) {
    packet.setUint32(lane, 0, packet.getUint32(lane, 0) + 1);
  }
}

/** What makes one call: a client, or a stand-in that goes through ports. */
export type CallMaker = Pick<Client, "call">;

/**
 * Makes the call again and again, and checks what comes back in every lane.
 *
 * @example
 * ```ts
 * import { Channel, Client } from "../core/mod.ts";
 * import { IncrementCaller } from "./increment.ts";
 * const channel = Channel.create({ portCount: 1, laneCount: 8 });
 * new IncrementCaller(new Client(channel)).call(0); // no call: no server runs here
 * ```
 */
export class IncrementCaller {
  readonly #client: CallMaker;
  readonly #fill = (packet: Packet): void => this.#fillLanes(packet);
  readonly #use = (packet: Packet): void => this.#checkLanes(packet);
  #value = 0;
  #wrongBits = 0;

  constructor(client: CallMaker) {
    this.#client = client;
  }

  /** @throws {Error} when a lane came back with another number */
  call(callCount: number): void {
    for (let call = 0; call < callCount; call++) {
      this.#client.call(INCREMENT_OPCODE, this.#fill, this.#use);
      this.#value = (this.#value + 1) & VALUE_MAX;
    }
    if (this.#wrongBits === 0) return;
    throw new Error("Cannot trust the calls as a lane did not come back one larger");
  }

  #fillLanes(packet: Packet): void {
    const value = this.#value;
    for (let lane = packet.firstLane; lane < packet.laneCount; lane = packet.nextLane(lane)) {
      packet.setUint32(lane, 0, value);
    }
  }

  #checkLanes(packet: Packet): void {
    const expected = this.#value + 1;
    let wrongBits = 0;
    for (let lane = packet.firstLane; lane < packet.laneCount; lane = packet.nextLane(lane)) {
      wrongBits |= packet.getUint32(lane, 0) ^ expected;
    }
    this.#wrongBits |= wrongBits;
  }
}
