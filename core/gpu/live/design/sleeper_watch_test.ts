import { assertEquals } from "@std/assert";
import { Channel } from "../../../toggle/channel.ts";
import { Client } from "../../../toggle/client/client.ts";
import { Server } from "../../../toggle/server/server.ts";
import { SleeperWatch } from "./sleeper_watch.ts";

/** What a side writes that sleeps: see `port_locks.ts`. */
const PARKED = 1;

for (const mailboxWidth of ["word", "padded"] as const) {
  Deno.test(`${mailboxWidth}: SleeperWatch finds a client whose answer is there`, () => {
    const channel = Channel.create({ portCount: 3, laneCount: 1, mailboxWidth });
    const { words, layout: { clientParkedWord } } = channel;
    const watch = new SleeperWatch(channel, "client");
    const server = new Server(channel);
    const [, sent] = [0, 1].map(() => new Client(channel).open(0).send(() => {}));
    words.store(clientParkedWord + sent!.index, PARKED);
    assertEquals(watch.hasMissed(), false, "it sleeps rightly");
    server.runAll();
    // As after a wave's flip, which wakes nobody.
    words.store(clientParkedWord + sent!.index, PARKED);
    assertEquals(watch.hasMissed(), true);
    words.store(clientParkedWord + sent!.index, 0);
    assertEquals(watch.hasMissed(), false, "nobody sleeps");
  });
}

Deno.test("SleeperWatch finds a server whose client has gone on, or left", () => {
  const channel = Channel.create({ portCount: 1, laneCount: 1 });
  const { words, layout: { serverParkedWord } } = channel;
  const watch = new SleeperWatch(channel, "server");
  const port = new Client(channel).open(0);
  words.store(serverParkedWord, PARKED);
  assertEquals(watch.hasMissed(), false);
  const sent = port.send(() => {});
  words.store(serverParkedWord, PARKED);
  assertEquals(watch.hasMissed(), true, "it goes on");
  new Server(channel).runAll();
  words.store(serverParkedWord, PARKED);
  assertEquals(watch.hasMissed(), false, "the packet is the client's");
  sent.close();
  assertEquals(watch.hasMissed(), true, "it left");
});
