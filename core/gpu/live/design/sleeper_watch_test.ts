import { assertEquals } from "@std/assert";
import { Channel } from "../../../toggle/channel.ts";
import { Client } from "../../../toggle/client/client.ts";
import { Server } from "../../../toggle/server/server.ts";
import { SleeperWatch } from "./sleeper_watch.ts";

/** What a side writes that sleeps: see `port_locks.ts`. */
const PARKED = 1;

for (const mailboxWidth of ["word", "padded"] as const) {
  Deno.test(`${mailboxWidth}: SleeperWatch finds a server whose client has gone on, or left`, () => {
    const channel = Channel.create({ portCount: 1, laneCount: 1, mailboxWidth });
    const { words, layout: { serverParkedWord } } = channel;
    const watch = new SleeperWatch(channel);
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
}
