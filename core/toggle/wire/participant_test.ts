import { assertEquals } from "@std/assert";
import { SharedWords } from "../../memory/words.ts";
import { Channel } from "../channel.ts";
import { handleOf } from "../channel_handle.ts";
import { Client } from "../client/client.ts";
import { Server } from "../server/server.ts";
import {
  ownerOf,
  OWNERS_MAX,
  Participant,
  ROSTER_BYTES,
  SlotWord,
  slotWord,
} from "./participant.ts";

Deno.test("A channel notes whose its clients and servers are, and how many serve", () => {
  const roster = new SharedArrayBuffer(ROSTER_BYTES);
  const words = new SharedWords(roster);
  const { handle, layout } = Channel.create({ portCount: 1, laneCount: 1 });
  const participant = { roster, slot: 127 };
  const channel = Channel.attach(handleOf(layout, { ...handle, participant }));
  assertEquals(channel.handle.participant, participant);
  const client = new Client(channel);
  const server = new Server(channel);
  assertEquals(ownerOf(words, client.id), { slot: 127, id: client.id });
  assertEquals(ownerOf(words, server.id), { slot: 127, id: server.id });
  assertEquals(ownerOf(words, 0), undefined);
  const serving = slotWord(127) + SlotWord.serving;
  const counts: number[] = [];
  server.announce();
  counts.push(words.load(serving));
  channel.shutDown();
  server.run();
  counts.push(words.load(serving));
  channel.enterServing();
  channel.abandonServing();
  counts.push(words.load(serving));
  assertEquals(counts, [1, 0, 0]);
  const other = new Participant({ roster, slot: 3 });
  assertEquals([other.noteServing(1, server.id), other.noteServing(1, 9), other.noteServing(1)], [
    1,
    1,
    2,
  ]);
  assertEquals(words.load(serving), 1);
});

Deno.test("Participant has room for the ids of a long life", () => {
  const roster = new SharedArrayBuffer(ROSTER_BYTES);
  const id = 2 ** 29 - 1;
  new Participant({ roster, slot: 0 }).noteOwner(id);
  assertEquals(ownerOf(new SharedWords(roster), id % OWNERS_MAX), { slot: 0, id });
});
