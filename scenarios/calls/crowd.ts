import { Channel, type ChannelShape, type ServerHandle, startServer } from "../../core/mod.ts";
import type { WaiterName } from "../../core/mod.ts";
import type { Partner } from "../partner/partner.ts";
import type { Trial } from "../scenario.ts";
import { ClientPool } from "./client_pool.ts";
import { assignIncrementServer } from "./increment_server.ts";

/** How many there are on the channel, and how all of them wait. */
export interface CrowdOptions {
  readonly clientCount: number;
  /** The partner is the first; 1 when absent. */
  readonly serverCount?: number;
  readonly waiter: WaiterName;
}

/** Several time slices of the scheduler, because there may be more Workers than cores. */
export const CROWD_SAMPLE_SECONDS_MIN = 0.04;

/**
 * Prepares calls of several clients, each in a Worker, to one server or more: a sample ends with the
 * last client, and has the calls of all.
 */
export async function prepareCrowd(
  shape: ChannelShape,
  partner: Partner,
  { clientCount, serverCount = 1, waiter }: CrowdOptions,
): Promise<Trial & { readonly channel: Channel }> {
  const channel = Channel.create(shape);
  const { wake, rest } = await assignIncrementServer(partner, { channel, waiter });
  const others = await Promise.all(
    Array.from({ length: serverCount - 1 }, () => startOther(channel, waiter)),
  );
  const clients = await ClientPool.start({ channel, waiter, clientCount });
  return {
    channel,
    run: (callCount: number) => clients.call(callCount),
    wake,
    rest,
    async [Symbol.asyncDispose]() {
      channel.shutDown();
      await Promise.all(others.map(({ done }) => done));
      await clients[Symbol.asyncDispose]();
    },
  };
}

/** It serves on while the partner rests, and sleeps as nobody calls. */
function startOther(channel: Channel, waiter: WaiterName): Promise<ServerHandle> {
  const services = [new URL("./increment_service.ts", import.meta.url)];
  return startServer(channel, { services, waiter });
}
