import { assert, assertEquals, assertThrows } from "@std/assert";
import { Channel } from "../../toggle/channel.ts";
import { handleOf } from "../../toggle/channel_handle.ts";
import { Client } from "../../toggle/client/client.ts";
import { Server } from "../../toggle/server/server.ts";
import { ChannelState, ControlWord } from "../../toggle/layout.ts";
import { ROSTER_BYTES, SlotWord, slotWord } from "../../toggle/wire/participant.ts";
import { SharedWords } from "../../memory/words.ts";
import { Roster } from "./roster.ts";

const WAIT = { timeoutSeconds: 10 };

/** Two processes that share a channel, of which the second may be dead. */
class Two {
  readonly page = new SharedArrayBuffer(ROSTER_BYTES);
  readonly starts = new Map([[100, 5], [200, 6]]);
  readonly roster = new Roster(this.page, (pid) => this.starts.get(pid));
  readonly living: Channel;
  readonly dying: Channel;

  constructor() {
    const { handle, layout } = Channel.create({ portCount: 1, laneCount: 1 });
    const [living, dying] = [100, 200].map((pid) => {
      const participant = { roster: this.page, slot: this.roster.join(pid) };
      return Channel.attach(handleOf(layout, { ...handle, participant }));
    });
    this.living = living!;
    this.dying = dying!;
  }

  /** Kills the second one, and has the first see it. */
  kill(): number {
    this.starts.delete(200);
    return this.roster.buryDead(this.living, 0);
  }
}

function call(client: Client): void {
  client.call(40_000, { fill: () => {}, use: () => {} }, WAIT);
}

Deno.test("Roster buries nobody whose beginning it cannot see, now or when he came", () => {
  const two = new Two();
  const client = new Client(two.dying);
  client.open(40_000);
  two.starts.set(200, 0); // no free descriptor, for example
  assertEquals([two.roster.buryDead(two.living, 0), two.roster.count], [0, 2]);
  two.starts.set(200, 6);
  assertEquals(two.roster.buryDead(two.living, 0), 0);
  two.starts.set(200, 7); // another process has the number
  assertEquals([two.roster.buryDead(two.living, 0), two.roster.count], [1, 1]);
  two.starts.set(300, 0);
  const slot = two.roster.join(300);
  two.starts.set(300, 9);
  assertEquals(two.roster.buryDead(two.living, 0), 0);
  two.starts.delete(300);
  assertEquals([two.roster.buryDead(two.living, 0), slot], [1, 1]);
});

Deno.test("Roster frees the port of a client that died in each step of a call", () => {
  const steps: readonly ((client: Client, server: Server) => void)[] = [
    (client) => void client.open(40_000),
    (client) => void client.open(40_000).send(() => {}),
    (client, server) => {
      client.open(40_000).send(() => {});
      server.runOnce();
    },
    (client, server) => {
      const port = client.open(40_000).send(() => {});
      server.runOnce();
      port.recv(() => {});
    },
    (client) => client.open(40_000).send(() => {}).close(),
  ];
  for (const step of steps) {
    const two = new Two();
    const server = new Server(two.living);
    server.operate(40_000, () => {});
    step(new Client(two.dying), server);
    assertEquals([two.kill(), two.roster.count], [1, 1]);
    server.runOnce(); // a call that was sent is served, for nobody
    const port = new Client(two.living).open(40_000, WAIT);
    const sent = port.send(() => {});
    assertEquals(server.runOnce(), true);
    sent.recv(() => {}, WAIT).close();
    assertEquals(two.kill(), 0);
  }
});

Deno.test("Roster ends the calls of a server that died, and the last server's channel with it", () => {
  const two = new Two();
  const other = new Server(two.living);
  other.announce();
  const dead = new Server(two.dying);
  dead.operatePort(40_000, () => {
    throw two; // stands for the end of the process: the port is left as it is
  });
  dead.announce();
  const client = new Client(two.living);
  const sent = client.open(40_000).send(() => {});
  dead.tryOpen();
  assertEquals(two.kill(), 1);
  assertThrows(() => sent.recv(() => {}, WAIT), Error, "server");
  sent.close();
  assertEquals(two.living.state, ChannelState.running);
  two.starts.set(200, 6);
  const words = new SharedWords(two.page);
  assertEquals(words.load(slotWord(0) + SlotWord.serving), 1);
  two.starts.delete(100);
  two.roster.join(200);
  assertEquals(two.roster.buryDead(two.dying, 1), 1);
  assertEquals(two.dying.state, ChannelState.stopped);
  assertThrows(() => call(new Client(two.dying)));
});

Deno.test("Roster counts servers right of a process that died between its counts", () => {
  for (const counted of [-1, 0, 1]) {
    const two = new Two();
    const { words, layout } = two.living;
    new Server(two.living).announce();
    new Server(two.dying).announce();
    words.add(layout.controlWord + ControlWord.liveServers, counted);
    two.kill();
    assertEquals(two.living.state, ChannelState.running);
    two.living.shutDown();
    assertEquals(two.living.state, ChannelState.stopping); // one serves still
    two.living.leaveServing();
    assertEquals(two.living.state, ChannelState.stopped);
  }
});

Deno.test("Roster ends a channel whose last server died between its counts and the end", () => {
  const two = new Two();
  new Server(two.dying).announce();
  two.dying.shutDown();
  new SharedWords(two.page).store(slotWord(1) + SlotWord.serving, 0);
  two.kill();
  assertEquals(two.living.state, ChannelState.stopped);
});

Deno.test("Roster ends a channel whose burier died between the last server and the end", () => {
  const two = new Two();
  new Server(two.dying).announce();
  two.starts.set(300, 8);
  const third = two.roster.join(300);
  two.living.stop = () => assert(false, "the first one dies here");
  assertThrows(() => two.kill());
  delete (two.living as Partial<Channel>).stop;
  two.starts.delete(100);
  assertEquals(two.roster.buryDead(two.living, third), 2);
  assertEquals(two.living.state, ChannelState.stopped);
});

Deno.test("A server that another process counts out is counted once", () => {
  const two = new Two();
  const late = new Server(two.dying);
  late.announce();
  new Server(two.living).announce();
  two.living.abandonServing(late.id);
  two.kill();
  two.living.abandonServing(late.id); // it was buried
  const word = slotWord(1) + SlotWord.serving;
  new SharedWords(two.page).store(word, -1); // counted out later still
  two.roster.join(300);
  assertEquals(new SharedWords(two.page).load(word), 0);
  assertEquals(two.living.state, ChannelState.running);
  two.living.abandonServing();
  assertEquals(two.living.state, ChannelState.stopped);
});

Deno.test("Roster tells a number that was given again from the one that died", () => {
  const two = new Two();
  new Client(two.dying).open(40_000);
  assertEquals(two.roster.buryDead(two.living, 0), 0);
  two.starts.set(200, 7);
  assertEquals(two.roster.buryDead(two.living, 0), 1);
  new Client(two.living).open(40_000, WAIT).close();
});

Deno.test("Roster buries once more what a burier left that died, and what has no beginning", () => {
  const two = new Two();
  new Client(two.dying).open(40_000);
  const words = new SharedWords(two.page);
  two.starts.delete(200);
  words.store(slotWord(1) + SlotWord.burier, 100); // the first one has begun
  two.starts.set(300, 8);
  const third = two.roster.join(300);
  assertEquals(two.roster.buryDead(two.living, third), 0);
  two.starts.delete(100);
  assertEquals(two.roster.buryDead(two.living, third), 2);
  words.store(slotWord(5) + SlotWord.pid, 400); // died as it joined
  words.store(slotWord(5) + SlotWord.burier, 0x7fffffff); // nobody's
  assertEquals(two.roster.buryDead(two.living, third), 1);
  assertEquals(two.roster.count, 1);
});

Deno.test("Roster stops a channel whose locks do not say what the dead one held", () => {
  const page = new SharedArrayBuffer(ROSTER_BYTES);
  const roster = new Roster(page, (pid) => pid === 1 ? 1 : undefined);
  const channel = Channel.create({ portCount: 1, laneCount: 1, portLock: "exchange" });
  roster.join(1);
  const left = roster.join(1);
  roster.bury(channel, left);
  assertEquals(channel.state, ChannelState.running);
  roster.join(2);
  roster.buryDead(channel, 0);
  assertEquals(channel.state, ChannelState.stopped);
});

Deno.test("Roster has room for 128 processes", () => {
  const roster = new Roster(new SharedArrayBuffer(ROSTER_BYTES), () => 1);
  for (let slot = 0; slot < 128; slot++) assertEquals(roster.join(slot + 1), slot);
  assertThrows(() => roster.join(200), RangeError, "128 processes share it");
});
