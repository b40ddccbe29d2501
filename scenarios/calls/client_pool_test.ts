import { assertThrows } from "@std/assert";
import { Channel } from "../../core/mod.ts";
import { ClientPool } from "./client_pool.ts";
import { assignIncrementServer } from "./increment_server.ts";
import { Partner } from "../partner/partner.ts";

Deno.test("ClientPool.call() makes all calls, however they divide among the clients", async () => {
  await using partner = new Partner();
  const channel = Channel.create({ portCount: 4, laneCount: 1 });
  const work = await assignIncrementServer(partner, { channel, waiter: "adaptive" });
  await using clients = await ClientPool.start({ channel, waiter: "adaptive", clientCount: 3 });
  work.wake();
  for (const callCount of [100, 1, 0]) clients.call(callCount);
  work.rest();
  channel.shutDown();
});

Deno.test("ClientPool.call() throws when a client cannot call", async () => {
  const channel = Channel.create({ portCount: 4, laneCount: 1 });
  await using clients = await ClientPool.start({ channel, waiter: "adaptive", clientCount: 2 });
  channel.stop();
  assertThrows(() => clients.call(10), Error, "shut down");
});
