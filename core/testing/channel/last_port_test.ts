/**
 * Nothing looks beyond the last port. On a channel of 32 ports each region of one word a port ends
 * where the next begins, so that the word behind the last is the first of another kind.
 */
import { assertEquals, assertThrows } from "@std/assert";
import { CallError } from "../../call/call_error.ts";
import { meddledChannel } from "../fixtures/meddled_words.ts";
import { ClientSide } from "../../toggle/client/client_side.ts";
import { PortClaim } from "../../toggle/client/port_claim.ts";
import { evictClient } from "../../toggle/evict.ts";
import { reclaimClient, reclaimServer } from "../../toggle/reclaim.ts";
import { Server } from "../../toggle/server/server.ts";
import { ServerSide } from "../../toggle/server/server_side.ts";
import { WorkSearch } from "../../toggle/server/work_search.ts";

const PORT_COUNT = 32;

/** Every port at rest at (1, 1), so that a word that is cleared by mistake shows. */
function atRest() {
  const { channel, words, layout } = meddledChannel(PORT_COUNT);
  const { clientOutboxWord, serverOutboxWord, clientTurnWord, serverTurnWord } = layout;
  for (const word of [clientOutboxWord, serverOutboxWord, clientTurnWord, serverTurnWord]) {
    words.plain.fill(1, word, word + PORT_COUNT);
  }
  const region = (word: number) => [...words.plain.subarray(word, word + PORT_COUNT)];
  return { channel, words, layout, region };
}

const ALL_ONES = new Array(PORT_COUNT).fill(1);

for (const change of ["stop", "announceLeaving"] as const) {
  Deno.test(`${change}() wakes sleepers, and touches no mailbox and no lock`, () => {
    const { channel, layout, words, region } = atRest();
    words.store(layout.clientLockWord, 7);
    channel[change]();
    assertEquals(region(layout.clientOutboxWord), ALL_ONES);
    assertEquals(region(layout.serverOutboxWord), ALL_ONES);
    assertEquals(words.load(layout.clientLockWord), 7);
  });
}

Deno.test("reclaimClient() and reclaimServer() free locks of their own side only", () => {
  const { channel, layout, words, region } = atRest();
  for (let id = 1; id <= 8; id++) channel.takeOwnerId();
  words.store(layout.serverLockWord, 7);
  words.store(layout.leaveWord, 0);
  assertEquals([reclaimClient(channel, 7), words.load(layout.serverLockWord)], [0, 7]);
  words.store(layout.clientLockWord, 8);
  assertEquals([reclaimServer(channel, 8), words.load(layout.clientLockWord)], [0, 8]);
  assertEquals(region(layout.serverOutboxWord), ALL_ONES);
});

Deno.test("a worker that leaves, and who counts what it held, look at its own side's locks", async () => {
  const { channel, layout, words } = atRest();
  const client = new ClientSide(channel, "park");
  words.store(layout.serverLockWord, client.ownerId);
  words.waitAsync = () => Promise.resolve();
  const asked = evictClient(channel, client.ownerId);
  assertEquals(await asked, { hasLeft: false, heldPortCount: 0 });
  assertThrows(() => client.checkClaim(0), CallError);
  assertEquals(client.hasLeft, true);
});

Deno.test("a client that wants any port marks its own side's locks, and sleeps", () => {
  const { channel, layout, words } = atRest();
  for (let index = 0; index < PORT_COUNT; index++) words.store(layout.clientLockWord + index, 99);
  words.store(layout.serverLockWord, 77);
  let sleepCount = 0;
  words.onSleep = () => sleepCount++;
  new ClientSide(channel, "park").awaitFree({ check() {}, leftMilliseconds: Infinity });
  assertEquals([sleepCount, words.load(layout.serverLockWord)], [1, 77]);
});

Deno.test("a client claims each port once, and none behind the last", () => {
  const { channel } = atRest();
  const claim = new PortClaim(new ClientSide(channel, "park"));
  const claimed = Array.from({ length: PORT_COUNT + 1 }, () => claim.tryClaim(0));
  const indexes = Array.from({ length: PORT_COUNT }, (_, index) => index);
  assertEquals(claimed.toSorted((left, right) => left - right), [-1, ...indexes]);
});

Deno.test("a server finds no work behind the last port, and sleeps", () => {
  const { channel, layout, words } = atRest();
  words.store(layout.clientParkedWord, 1); // where the outbox of another port would be
  const side = new ServerSide(channel, { waiter: "park", clientTimeoutSeconds: 5 });
  const search = new WorkSearch(side);
  let sleepCount = 0;
  words.onSleep = () => sleepCount++;
  search.sleep(channel.stateWord);
  assertEquals([sleepCount, words.load(layout.hintWord), search.tryClaim()], [1, 0, -1]);
  assertEquals(new Server(channel).runAll(), 0);
});
