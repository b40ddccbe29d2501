import { PacketClient, type PacketClientOptions } from "../../one_packet/packet_client.ts";
import type { Channel } from "../channel.ts";
import { GwhtClientSteps } from "./client_steps.ts";

/**
 * The side that starts calls on a GWHT channel; see `PacketClient` for its operations. All its
 * packets have 64 lanes.
 *
 * @example
 * ```ts
 * import { Channel } from "../channel.ts";
 * import { Client } from "./client.ts";
 * const client = new Client(Channel.create({ slotCount: 1 }));
 * if (!client.tryCast(40_000, () => {})) throw new Error("the slot was free");
 * if (client.tryCast(40_000, () => {})) throw new Error("nobody has served the first");
 * ```
 */
export class Client extends PacketClient {
  /** @throws {TypeError} when no waiter has the name */
  constructor(channel: Channel, { waiter = "adaptive" }: PacketClientOptions = {}) {
    super(channel, new GwhtClientSteps(channel, waiter), waiter);
  }
}
