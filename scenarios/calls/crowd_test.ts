import { assertEquals, assertThrows } from "@std/assert";
import { delay } from "@std/async";
import { Channel } from "../../core/mod.ts";
import { ControlWord } from "../../core/internal.ts";
import { Partner } from "../partner/partner.ts";
import { ClientPool, prepareCrowd } from "./crowd.ts";
import { assignIncrementServer } from "./increment_server.ts";

/** How many serve, once that many do; or after a while, when they do not. */
async function settledServerCount(
  { words, layout }: Channel,
  wanted: number,
): Promise<number> {
  const word = layout.controlWord + ControlWord.liveServers;
  for (let look = 0; look < 1000 && words.load(word) !== wanted; look++) await delay(1);
  return words.load(word);
}

for (const [clientCount, serverCount] of [[1, 1], [3, 2]] as const) {
  Deno.test(`prepareCrowd() has ${clientCount} clients call ${serverCount} servers`, async () => {
    await using partner = new Partner();
    const shape = { portCount: 4, laneCount: 1 };
    const waiter = "adaptive";
    await using trial = await prepareCrowd(shape, partner, { clientCount, serverCount, waiter });
    for (const callCount of [10, 101]) {
      trial.wake!();
      assertEquals(await settledServerCount(trial.channel, serverCount), serverCount);
      trial.run(callCount);
      trial.rest!();
    }
  });
}

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
