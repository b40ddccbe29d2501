import { PacketClient, type PacketClientOptions } from "../../one_packet/packet_client.ts";
import type { PacketChannel } from "../../one_packet/packet_channel.ts";
import type { FourPhaseLayout } from "../layout.ts";
import { FourPhaseClientSteps } from "./client_steps.ts";

/**
 * The side that starts calls on a four-phase channel; see `PacketClient` for its operations.
 *
 * @example
 * ```ts
 * import { Channel } from "../channel.ts";
 * import { Client } from "./client.ts";
 * const client = new Client(Channel.create({ packetCount: 1, laneCount: 1 }));
 * if (!client.tryCast(40_000, () => {})) throw new Error("the port was free");
 * if (client.tryCast(40_000, () => {})) throw new Error("nobody has served the first");
 * ```
 */
export class Client extends PacketClient {
  /** @throws {TypeError} when no waiter has the name */
  constructor(
    channel: PacketChannel<FourPhaseLayout>,
    { waiter = "adaptive" }: PacketClientOptions = {},
  ) {
    super(channel, new FourPhaseClientSteps(channel, waiter), waiter);
  }
}
