import type { Bit, OwnedPort, SentPort } from "./typed_port.ts";

/**
 * A port that a function may look at and work on, and that stays its caller's: what `Port` has,
 * without the operations that consume it. A port is a `Lent` of itself, so nothing has to be
 * converted where it is lent; the way back does not compile, and neither do `send`, `recv`,
 * `query`, `close`, `using` and `move`.
 *
 * @typeParam Port what is lent
 *
 * @example A helper that leaves the port where it is
 * ```ts
 * import { Channel, Client } from "../../mod.ts";
 * import { type Lent, type PartialPort, TypedClient } from "../mod.ts";
 *
 * function fillWith(port: Lent<PartialPort<true>>, value: number): void {
 *   port.use((packet) => packet.setUint32(0, 0, value));
 *   // @ts-expect-error it is not this function's to close
 *   if (value < 0) port.close();
 * }
 *
 * const client = new TypedClient(new Client(Channel.create({ portCount: 1, laneCount: 1 })));
 * const port = client.open(40_000);
 * fillWith(port, 41);
 * fillWith(port, 42); // it is mine as before
 * port.close();
 * ```
 */
export type Lent<Port extends OwnedPort<Bit> | SentPort<Bit>> = Port extends unknown
  ? Pick<Port, Extract<keyof Port, "index" | "inbox" | "outbox" | "use">>
  : never;
