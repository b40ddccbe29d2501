import { PacketClient, type PacketClientOptions } from "../../one_packet/packet_client.ts";
import type { PacketChannel } from "../../one_packet/packet_channel.ts";
import type { StacksLayout } from "../layout.ts";
import { StacksClientSteps } from "./client_steps.ts";

/**
 * The side that starts calls on packet stacks; see `PacketClient` for its operations.
 *
 * @example
 * ```ts
 * import { Channel } from "../channel.ts";
 * import { Client } from "./client.ts";
 * const client = new Client(Channel.create({ packetCount: 1, laneCount: 1 }));
 * if (!client.tryCast(40_000, () => {})) throw new Error("the packet was free");
 * if (client.tryCast(40_000, () => {})) throw new Error("nobody has served the first");
 * ```
 */
export class Client extends PacketClient {
  /** @throws {TypeError} when no waiter has the name */
  constructor(
    channel: PacketChannel<StacksLayout>,
    { waiter = "adaptive" }: PacketClientOptions = {},
  ) {
    super(channel, new StacksClientSteps(channel, waiter), waiter);
  }
}
