import { Channel, type ChannelShape, Client } from "../../core/mod.ts";
import type { Partner } from "../partner/partner.ts";
import type { Trial } from "../scenario.ts";
import { IncrementCaller } from "./increment.ts";
import { assignIncrementServer } from "./increment_server.ts";

/** What makes a client's calls, and checks what comes back. */
export interface Caller {
  call(callCount: number): void | Promise<void>;
}

/**
 * Prepares the calls of one client to the partner, on a channel of any design, both sides spinning.
 *
 * @param callerOf makes calls on the client; one after another, as {@linkcode IncrementCaller}, when absent
 */
export async function prepareCalls(
  shape: ChannelShape,
  partner: Partner,
  callerOf: (client: Client) => Caller = (client) => new IncrementCaller(client),
): Promise<Trial> {
  const channel = Channel.create(shape);
  const { wake, rest } = await assignIncrementServer(partner, { channel, waiter: "spin" });
  const caller = callerOf(new Client(channel, { waiter: "spin" }));
  return {
    run: (callCount) => caller.call(callCount),
    wake,
    rest,
    [Symbol.asyncDispose]: () => Promise.resolve(channel.shutDown()),
  };
}
