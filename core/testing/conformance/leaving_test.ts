/** Workers that are asked to leave at random moments, while others call and check every answer. */
import { assertEquals } from "@std/assert";
import { Status } from "../../memory/status.ts";
import { evictClient } from "../../toggle/evict.ts";
import { startServer } from "../../worker/start_server.ts";
import { randomGenerator } from "../random.ts";
import { TestBed } from "./test_bed.ts";

const SERVICES = [new URL("./services.ts", import.meta.url)];
/** Raised by hand for a long run: `LEAVING_ROUNDS=500`. */
const ROUNDS = Number(Deno.env.get("LEAVING_ROUNDS") ?? 40);
const IN_TIME = { timeoutSeconds: 20 };

for (const seed of [1, 2]) {
  Deno.test(`Servers that leave at random moments lose no call and spoil no answer, seed ${seed}`, async () => {
    const random = randomGenerator(seed);
    await using bed = await TestBed.start({ portCount: 3, laneCount: 1 });
    const [first, second] = [
      await bed.startClient("checkUntilGone"),
      await bed.startClient("checkUntilGone"),
    ];
    for (let round = 0; round < ROUNDS; round++) {
      const server = await startServer(bed.channel, { services: SERVICES });
      await new Promise((resolve) => setTimeout(resolve, random() % 4));
      assertEquals(
        await server.terminate(IN_TIME),
        { hasLeft: true, heldPortCount: 0 },
        `round ${round}`,
      );
    }
    bed.channel.shutDown();
    assertEquals(await Promise.all([first.done, second.done]), [
      Status.serverGone,
      Status.serverGone,
    ]);
  });

  Deno.test(`Clients that leave at random moments disturb no other, seed ${seed}`, async () => {
    const random = randomGenerator(seed);
    await using bed = await TestBed.start({ portCount: 2, laneCount: 1, serverCount: 2 });
    const staying = await bed.startClient("checkUntilGone");
    for (let round = 0; round < ROUNDS; round++) {
      const client = await bed.startClient("checkUntilGone");
      await new Promise((resolve) => setTimeout(resolve, random() % 4));
      const report = await evictClient(bed.channel, client.clientId, IN_TIME);
      assertEquals(report, { hasLeft: true, heldPortCount: 0 }, `round ${round}`);
      assertEquals(await client.done, Status.askedToLeave);
      client.link.terminate();
    }
    bed.channel.shutDown();
    assertEquals(await staying.done, Status.serverGone);
  });
}
