/** Updates that must be one step, and looks that must see what another thread has written. */
import { assert, assertEquals } from "@std/assert";
import { fullMask } from "../../memory/lane_mask.ts";
import { meddledChannel, type MeddledWords } from "../fixtures/meddled_words.ts";
import { Doorbell } from "../../wait/doorbell.ts";
import { Hints } from "../../wait/hint.ts";
import { InboxWaiter } from "../../wait/inbox_waiter.ts";
import type { Channel } from "../../toggle/channel.ts";
import { ClientSide } from "../../toggle/client/client_side.ts";
import { type ChannelLayout, ControlWord, doorbellPlace } from "../../toggle/layout.ts";
import { ringFree, wakeParked } from "../../toggle/lock/port_locks.ts";
import { Mailboxes } from "../../toggle/mailbox.ts";

interface Scene {
  readonly words: MeddledWords;
  readonly layout: ChannelLayout;
  readonly channel: Channel;
  readonly client: Mailboxes;
  readonly server: Mailboxes;
}

function scene(): Scene {
  const { words, layout, channel } = meddledChannel(2);
  const client = new Mailboxes(words, { layout, side: "client", ownerId: 1 });
  const server = new Mailboxes(words, { layout, side: "server", ownerId: 2 });
  return { words, layout, channel, client, server };
}

function control(word: number) {
  return ({ layout }: Scene) => layout.controlWord + word;
}

function waitOnce({ words, layout }: Scene): void {
  const boxes = { inboxWord: layout.serverOutboxWord, parkedWord: layout.clientParkedWord };
  words.onSleep = () => words.store(boxes.inboxWord, 1);
  new InboxWaiter(words, boxes, "park").wait(0, 0, { check() {}, leftMilliseconds: Infinity });
}

/** Each update of a word that other threads update, too. */
const UPDATES: Readonly<
  Record<string, {
    readonly wordOf: (scene: Scene) => number;
    readonly run: (scene: Scene) => void;
  }>
> = {
  takeOwnerId: {
    wordOf: control(ControlWord.nextOwnerId),
    run: ({ channel }) => channel.takeOwnerId(),
  },
  enterServing: {
    wordOf: control(ControlWord.liveServers),
    run: ({ channel }) => channel.enterServing(),
  },
  leaveServing: {
    wordOf: control(ControlWord.liveServers),
    run: ({ channel }) => channel.leaveServing(),
  },
  abandonServing: {
    wordOf: control(ControlWord.liveServers),
    run: ({ channel }) => channel.abandonServing(),
  },
  shutDown: { wordOf: control(ControlWord.state), run: ({ channel }) => channel.shutDown() },
  stop: { wordOf: control(ControlWord.state), run: ({ channel }) => channel.stop() },
  raiseAttention: {
    wordOf: control(ControlWord.state),
    run: ({ channel }) => channel.raiseAttention(),
  },
  announceLeaving: {
    wordOf: control(ControlWord.state),
    run: ({ channel }) => channel.announceLeaving(),
  },
  "the ring of a stop": { wordOf: control(ControlWord.bell), run: ({ channel }) => channel.stop() },
  ringFree: {
    wordOf: control(ControlWord.freeBell),
    run: ({ words, layout }) => ringFree(words, layout.controlWord + ControlWord.freeBell),
  },
  "Doorbell.ring": {
    wordOf: control(ControlWord.bell),
    run({ words, layout }) {
      words.store(layout.controlWord + ControlWord.sleepers, 1);
      new Doorbell(words, doorbellPlace(layout)).ring();
    },
  },
  "Doorbell.arm": {
    wordOf: control(ControlWord.sleepers),
    run: ({ words, layout }) => void new Doorbell(words, doorbellPlace(layout)).arm(),
  },
  "Doorbell.disarm": {
    wordOf: control(ControlWord.sleepers),
    run: ({ words, layout }) => new Doorbell(words, doorbellPlace(layout)).disarm(),
  },
  "Hints.mark": {
    wordOf: ({ layout }) => layout.hintWord,
    run: ({ words, layout }) => void new Hints(words, layout).mark(0),
  },
  "a sleeper's mark": { wordOf: ({ layout }) => layout.clientParkedWord, run: waitOnce },
  "the mark of who wants any port": {
    wordOf: ({ layout }) => layout.clientParkedWord,
    run({ client }) {
      client.toggle(0);
      client.watchUntilFree(0);
    },
  },
};

for (const [name, { wordOf, run }] of Object.entries(UPDATES)) {
  Deno.test(`${name} loses no update that another thread makes meanwhile`, () => {
    const parts = scene();
    const word = wordOf(parts);
    let bits = 0;
    let next = 1 << 20;
    const setBit = parts.words.or.bind(parts.words);
    parts.words.afterLoad = (loaded) => {
      if (loaded !== word || next === 1 << 28) return;
      bits |= next;
      setBit(word, next);
      next <<= 1;
    };
    run(parts);
    parts.words.afterLoad = () => {};
    // Counts below zero borrow from the bits above: what was added is taken back before the look.
    const value = parts.words.load(word);
    assertEquals((value < 0 ? value + (1 << 19) : value) & bits, bits);
  });
}

Deno.test("Mailboxes.tryLock() and unlock() are one step each: two threads never both succeed", () => {
  const { words, layout, client } = scene();
  const other = new Mailboxes(words, { layout, side: "client", ownerId: 3 });
  const taken: boolean[] = [];
  words.afterLoad = (word) => {
    if (word === layout.clientLockWord && taken.length === 0) taken.push(other.locks.tryLock(0));
  };
  taken.push(client.locks.tryLock(0));
  assertEquals(taken.filter((isTaken) => isTaken).length, 1);
});

Deno.test("Mailboxes.unlock() hears a mark that is set while it drops the lock", () => {
  const { words, layout, client } = scene();
  const bellWord = layout.controlWord + ControlWord.freeBell;
  client.locks.tryLock(0);
  let isMarked = false;
  words.afterLoad = (word) => {
    if (word !== layout.clientLockWord || isMarked) return;
    isMarked = true;
    assert(client.watchUntilFree(0));
  };
  client.locks.unlock(0);
  assertEquals(words.load(bellWord), isMarked ? 1 : 0);
});

Deno.test("Mailboxes.watchPeer() never locks a port that was unlocked meanwhile", () => {
  const { words, layout, client, server } = scene();
  client.locks.tryLock(0);
  words.afterLoad = (word) => {
    if (word !== layout.clientLockWord) return;
    words.afterLoad = () => {};
    client.locks.unlock(0);
  };
  assertEquals(server.locks.watchPeer(0), false);
  assertEquals(words.load(layout.clientLockWord), 0);
});

Deno.test("wakeParked() keeps a mark that is set while it clears the word", () => {
  const { words, layout } = scene();
  const bellWord = layout.controlWord + ControlWord.freeBell;
  const parkedWord = layout.clientParkedWord;
  words.store(parkedWord, 1);
  let isMarked = false;
  words.afterLoad = (word) => {
    if (word !== parkedWord) return;
    words.afterLoad = () => {};
    isMarked = true;
    words.or(parkedWord, 2);
  };
  wakeParked(words, parkedWord, bellWord);
  const isSeen = words.load(bellWord) === 1 || words.peek(parkedWord) === 2;
  assertEquals([words.notified[0], !isMarked || isSeen], [parkedWord, true]);
});

Deno.test("Mailboxes.owns(), holder() and peerHolder() see what another thread has just written", () => {
  const { words, layout, client, server } = scene();
  words.storeElsewhere(layout.clientOutboxWord, 1);
  assertEquals([server.looksOwned(0), server.owns(0)], [false, true], "a glance may be stale");
  words.storeElsewhere(layout.clientLockWord, 1);
  assertEquals(server.locks.peerHolder(0), 1);
  words.storeElsewhere(layout.clientLockWord + 1, 1);
  assertEquals(client.locks.holder(1), 1);
});

Deno.test("Mailboxes.wakePeer() sees a sleeper that has just announced itself", () => {
  const { words, layout, server } = scene();
  words.storeElsewhere(layout.clientParkedWord, 1);
  server.wakePeer(0);
  assertEquals(words.notified, [layout.clientParkedWord]);
});

Deno.test("Hints.mark() sees that its bit was just cleared", () => {
  const { words, layout } = scene();
  const hints = new Hints(words, layout);
  hints.mark(1);
  words.storeElsewhere(layout.hintWord, 0);
  assert(hints.mark(1), "there may be a sleeper");
});

Deno.test("Doorbell.ring() sees a sleeper that has just announced itself, and arm() the last ring", () => {
  const { words, layout } = scene();
  const { sleepersWord, bellWord } = doorbellPlace(layout);
  const bell = new Doorbell(words, { sleepersWord, bellWord });
  words.storeElsewhere(sleepersWord, 1);
  bell.ring();
  assertEquals(words.notified, [bellWord]);
  words.storeElsewhere(bellWord, 7);
  assertEquals(bell.arm(), 7);
});

Deno.test("Channel: the state is what it is, and a glance may be stale", () => {
  const { words, layout, channel } = scene();
  words.storeElsewhere(layout.controlWord + ControlWord.state, 1);
  assertEquals([channel.looksRunning, channel.state, channel.stateWord], [true, 1, 1]);
  words.storeElsewhere(layout.controlWord + ControlWord.liveServers, 1);
  channel.shutDown();
  assertEquals(channel.state, 1, "a server has just begun: the stop is its own to do");
});

Deno.test("LeaveRequests: each look at a request sees what was just written", () => {
  const { words, layout, channel: { leaveRequests } } = scene();
  const slot = leaveRequests.ask(7);
  words.storeElsewhere(layout.leaveWord + slot, 7 | (1 << 30));
  assertEquals(leaveRequests.stateOf(slot), "left");
  words.storeElsewhere(layout.leaveWord + slot, 9);
  assertEquals([leaveRequests.isAsked(9), leaveRequests.isAsked(7)], [true, false]);
  words.storeElsewhere(layout.leaveWord + slot, 9 | (1 << 29));
  assert(leaveRequests.hasGivenUp());
});

Deno.test("ClientSide reads the bell of free ports before it looks at them, and as it is", () => {
  const { words, layout, channel } = scene();
  const [holder, waiting] = [new ClientSide(channel, "park"), new ClientSide(channel, "park")];
  for (const index of [0, 1]) {
    assert(holder.tryLockOwned(index));
    holder.begin(index, 40_000, fullMask(1));
  }
  const bellWord = layout.controlWord + ControlWord.freeBell;
  words.storeElsewhere(bellWord, 5);
  let slept = 0;
  words.onSleep = (word) => slept = word;
  waiting.awaitFree({ check() {}, leftMilliseconds: Infinity });
  assertEquals([slept, holder.locks.holds(0)], [bellWord, true]);
});
