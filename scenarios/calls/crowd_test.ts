import { assertEquals } from "@std/assert";
import { delay } from "@std/async";
import { type Channel, ControlWord } from "../../core/mod.ts";
import { Partner } from "../partner/partner.ts";
import { prepareCrowd } from "./crowd.ts";

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
