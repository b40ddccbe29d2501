import { assertEquals } from "@std/assert";
import { Channel } from "../channel.ts";
import { meddledChannel } from "../../testing/fixtures/meddled_words.ts";
import { Client } from "../client/client.ts";
import { ControlWord } from "../layout.ts";
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

/** A search whose sleeps are counted, and end at once. */
function sleeper(portCount: number) {
  const { channel, words, layout } = meddledChannel(portCount);
  const side = new ServerSide(channel, { waiter: "spin", clientTimeoutSeconds: 5 });
  const sleeps: unknown[] = [];
  const sleepersWord = layout.controlWord + ControlWord.sleepers;
  words.onSleep = (word, milliseconds) =>
    sleeps.push([word, milliseconds, words.peek(sleepersWord)]);
  const client = new Client(channel);
  return {
    channel,
    words,
    layout,
    side,
    sleeps,
    sleepersWord,
    client,
    search: new WorkSearch(side),
  };
}

Deno.test("WorkSearch sleeps on the bell, counted as a sleeper, for as long as nobody rings", () => {
  const { search, channel, layout, words, sleeps, sleepersWord } = sleeper(40);
  search.sleep(channel.stateWord);
  assertEquals(sleeps, [[layout.controlWord + ControlWord.bell, Infinity, 1]]);
  assertEquals(words.load(sleepersWord), 0);
});

Deno.test("WorkSearch does not sleep while there is work, or after the state changed", async () => {
  const { search, client, channel, sleeps, words, sleepersWord } = sleeper(40);
  const seen = channel.stateWord;
  const sent = client.open(OPCODE).send(() => {});
  words.store(channel.layout.hintWord, 0); // a hint that was lost is found by the last look
  search.sleep(seen);
  assertEquals(await search.sleepAsync(seen), false);
  assertEquals(search.tryClaim(), sent.index);
  channel.raiseAttention();
  search.sleep(seen);
  assertEquals(await search.sleepAsync(seen), false);
  assertEquals([sleeps, words.load(sleepersWord)], [[], 0]);
});

Deno.test("WorkSearch clears hints of ports that were idle since it last tidied, and of no other", () => {
  const { search, client, side, words, layout } = sleeper(40);
  const hint = (index: number) => (words.load(layout.hintWord + (index >> 5)) >> (index & 31)) & 1;
  const sent = client.open(OPCODE).send(() => {});
  assertEquals(search.tryClaim(), sent.index);
  side.handBack(sent.index);
  const searchUntilTidied = () => {
    for (let count = 0; count < 1024; count++) search.tryClaim();
  };
  searchUntilTidied();
  assertEquals(hint(sent.index), 1, "it was busy");
  searchUntilTidied();
  assertEquals(hint(sent.index), 0, "it was idle");
  sent.close();
});

for (const [name, makeScene] of [["in steps", scene], ["as designed", sleeper]] as const) {
  Deno.test(`WorkSearch.tryClaim() glances at the last port if no other has work, ${name}`, () => {
    const { search, client, side, channel: { words, layout } } = makeScene(4);
    assertEquals(search.tryClaim(1), NO_PORT);
    const first = client.open(OPCODE).send(() => {});
    assertEquals(search.tryClaim(1), first.index);
    assertEquals(search.tryClaim(1), NO_PORT, "it is locked");
    side.handBack(first.index);
    const other = client.open(OPCODE).send(() => {});
    const again = first.recv(() => {}).send(() => {});
    words.and(layout.hintWord, ~(1 << again.index));
    assertEquals([search.tryClaim(1), search.tryClaim(1)], [other.index, NO_PORT]);
    side.handBack(other.index);
    words.store(layout.hintWord, 1 << again.index);
    assertEquals(search.tryClaim(), again.index);
    side.handBack(again.index);
    again.recv(() => {}).send(() => {});
    words.store(layout.hintWord, 0);
    assertEquals([search.tryClaim(), search.tryClaim(1)], [NO_PORT, again.index]);
    assertEquals(search.nextIndex, (again.index + 1) % 4);
  });
}

Deno.test("WorkSearch.tryClaimAt() claims a port that has work, and locks no other", () => {
  const { search, client, words, layout } = sleeper(4);
  const sent = client.open(OPCODE).send(() => {});
  const claimed = [0, 1, 2, 3].filter((index) => search.tryClaimAt(index));
  assertEquals(claimed, [sent.index]);
  assertEquals(search.tryClaimAt(sent.index), false);
  const locks = [0, 1, 2, 3].map((index) => words.load(layout.serverLockWord + index) !== 0);
  assertEquals(locks.filter((isLocked) => isLocked).length, 1);
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
