import { assertThrows } from "@std/assert";
import { Channel } from "../../core/mod.ts";
import { ClientCrew } from "./client_pool.ts";
import { assignIncrementServer } from "./increment_server.ts";
import { Partner } from "../partner/partner.ts";

Deno.test("ClientCrew.call() makes all calls, however they divide among the clients", async () => {
  await using partner = new Partner();
  const channel = Channel.create({ portCount: 4, laneCount: 1 });
  const shift = await assignIncrementServer(partner, { channel, waiter: "adaptive" });
  await using crew = await ClientCrew.start({ channel, waiter: "adaptive", clientCount: 3 });
  shift.wake();
  for (const callCount of [100, 1, 0]) crew.call(callCount);
  shift.rest();
  channel.shutDown();
});

Deno.test("ClientCrew.call() throws when a client cannot call", async () => {
  const channel = Channel.create({ portCount: 4, laneCount: 1 });
  await using crew = await ClientCrew.start({ channel, waiter: "adaptive", clientCount: 2 });
  channel.stop();
  assertThrows(() => crew.call(10), Error, "shut down");
});
