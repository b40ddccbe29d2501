import type { TrustingPort } from "./port/trusting_port.ts";
import type { Bit, OwnedPort, SentPort } from "./port/typed_port.ts";

/**
 * Says that a name is done with and that the port goes on under another one: `finish(move(port))`.
 * The old name refuses every operation from then on, `using` leaves the port alone, and the lint
 * rules know.
 *
 * @example
 * ```ts
 * import { Channel, Client } from "../mod.ts";
 * import { move } from "./move.ts";
 * import { TypedClient } from "./typed_client.ts";
 * import type { PartialPort } from "./port/typed_port.ts";
 *
 * const client = new TypedClient(new Client(Channel.create({ portCount: 1, laneCount: 1 })));
 * const kept: PartialPort<true>[] = [];
 * {
 *   using port = client.open(40_000);
 *   port.use((packet) => packet.setUint32(0, 0, 1));
 *   kept.push(move(port));
 * }
 * for (const port of kept) port.close(); // the block did not close it
 * ```
 */
export function move<P extends OwnedPort<Bit> | SentPort<Bit>>(port: P): P {
  return (port as unknown as TrustingPort).renamed() as unknown as P;
}
