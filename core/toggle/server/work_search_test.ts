import { assertEquals } from "@std/assert";
import { Channel } from "../channel.ts";
import { Client } from "../client/client.ts";
import { NO_PORT } from "../../wait/hint.ts";
import { ServerSide } from "./server_side.ts";
import { WorkSearch } from "./work_search.ts";

const OPCODE = 40_000;

function scene(portCount: number) {
  const channel = Channel.create({ portCount, laneCount: 1 });
  const side = new ServerSide(channel, { waiter: "spin", clientTimeoutSeconds: 5 });
  return { channel, side, search: new WorkSearch(side), client: new Client(channel) };
}

Deno.test("WorkSearch claims ports with work in rotation, each once while it is held", () => {
  const { search, client, side } = scene(1000);
  const sent = Array.from({ length: 1000 }, () => client.open(OPCODE).send(() => {}));
  const claimed = sent.map(() => search.tryClaim());
  assertEquals(claimed, Array.from({ length: 1000 }, (_, index) => index));
  assertEquals(search.tryClaim(), NO_PORT);
  side.unlock(500);
  assertEquals([search.nextIndex, search.tryClaim(), search.nextIndex], [0, 500, 501]);
});

Deno.test("WorkSearch does not sleep while there is work, or after the state changed", () => {
  const { search, client, channel } = scene(40);
  const seen = channel.stateWord;
  client.open(OPCODE).send(() => {});
  const start = performance.now();
  for (let sleep = 0; sleep < 200; sleep++) search.sleep(seen);
  channel.raiseAttention();
  for (let sleep = 0; sleep < 200; sleep++) search.sleep(seen);
  // A sleep is 50 ms long: 400 of them would show.
  assertEquals(performance.now() - start < 10_000, true);
});

Deno.test("WorkSearch sleeps while its own server holds the only work, and wakes for more", async () => {
  const { search, client, channel } = scene(4);
  client.open(OPCODE).send(() => {});
  assertEquals(search.tryClaim() >= 0, true);
  const slept = search.sleepAsync(channel.stateWord);
  client.open(OPCODE).send(() => {});
  assertEquals(await slept, true);
  assertEquals(await search.sleepAsync(channel.stateWord), false, "there is work now");
});
