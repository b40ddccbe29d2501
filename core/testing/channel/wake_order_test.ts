/** Orders that a lost wake would follow from, each taken at the moment between its two steps. */
import { assert, assertEquals } from "@std/assert";
import { meddledChannel } from "../fixtures/meddled_words.ts";
import { ClientSide } from "../../toggle/client/client_side.ts";
import { ChannelState, ControlWord, doorbellPlace } from "../../toggle/layout.ts";
import { Doorbell } from "../../wait/doorbell.ts";
import { ringFree } from "../../toggle/lock/port_locks.ts";
import { Mailboxes } from "../../toggle/mailbox.ts";
import { reclaimClient } from "../../toggle/reclaim.ts";

Deno.test("a lock that is dropped while it is marked is neither missed nor locked for good", () => {
  const { layout, words } = meddledChannel();
  const [holder, waiting] = [1, 2].map((ownerId) =>
    new Mailboxes(words, { layout, side: "client", ownerId })
  );
  holder!.locks.tryLock(0);
  words.afterLoad = (word) => {
    if (word !== layout.clientLockWord) return;
    words.afterLoad = () => {};
    holder!.locks.unlock(0);
  };
  assertEquals(waiting!.watchUntilFree(0), false);
  assertEquals(words.load(layout.clientLockWord), 0);
});

Deno.test("a flip that frees a port while it is marked rings the bell of free ports", () => {
  const { layout, words } = meddledChannel();
  const waiting = new Mailboxes(words, { layout, side: "client", ownerId: 1 });
  const server = new Mailboxes(words, { layout, side: "server", ownerId: 2 });
  waiting.toggle(0); // an asynchronous call: unlocked, and with the server
  words.afterLoad = (word) => {
    if (word !== waiting.inboxWord) return;
    words.afterLoad = () => {};
    server.toggle(0);
    server.wakePeer(0);
  };
  assert(waiting.watchUntilFree(0), "the look came before the flip");
  assertEquals(words.load(layout.controlWord + ControlWord.freeBell), 1);
});

Deno.test("a port that is freed after it was marked ends the sleep for a free port", () => {
  const { channel } = meddledChannel();
  const [holder, waiting] = [new ClientSide(channel, "park"), new ClientSide(channel, "park")];
  assert(holder.tryLockOwned(0));
  let isFreed = false;
  waiting.awaitFree({
    leftMilliseconds: Infinity,
    check() { // the last look, when every port is marked
      holder.unlock(0);
      isFreed = true;
    },
  });
  assert(isFreed);
});

Deno.test("a port that is freed while the others are marked ends the sleep for a free port", () => {
  const { channel, words, layout } = meddledChannel(3);
  const [holder, waiting] = [new ClientSide(channel, "park"), new ClientSide(channel, "park")];
  for (const index of [0, 1, 2]) assert(holder.tryLockOwned(index));
  words.afterLoad = (word) => {
    if (word !== layout.clientLockWord + 1) return;
    words.afterLoad = () => {};
    holder.unlock(0); // marked already: the look at it is over
  };
  waiting.awaitFree({ leftMilliseconds: Infinity, check() {} });
  assert(waiting.tryLockOwned(0));
});

Deno.test("the state is changed before the sleepers are woken", () => {
  for (const change of ["stop", "announceLeaving"] as const) {
    const { layout, words, channel } = meddledChannel();
    const before = channel.stateWord;
    let wakeCount = 0;
    words.beforeNotify = (word) => {
      if (word !== layout.clientParkedWord && word !== layout.serverParkedWord) return;
      wakeCount++;
      assert(channel.stateWord !== before, `${change}() wakes before there is something to see`);
    };
    channel[change]();
    assertEquals(wakeCount, 2);
    if (change === "stop") assertEquals(channel.state, ChannelState.stopped);
  }
});

Deno.test("reclaimClient() wakes who sleeps for a port of the dead one", () => {
  const { channel } = meddledChannel();
  const [dead, waiting] = [new ClientSide(channel, "park"), new ClientSide(channel, "park")];
  assert(dead.tryLockOwned(0));
  let isReclaimed = false;
  waiting.awaitFree({
    leftMilliseconds: Infinity,
    check() {
      isReclaimed = reclaimClient(channel, dead.ownerId) === 1;
    },
  });
  assert(isReclaimed);
});

for (const change of ["stop", "announceLeaving"] as const) {
  Deno.test(`${change}() wakes who sleeps for a free port, in a call, or for work, on every port`, () => {
    const { layout, words, channel } = meddledChannel(3);
    const [holder, waiting] = [new ClientSide(channel, "park"), new ClientSide(channel, "park")];
    for (const index of [0, 1, 2]) assert(holder.tryLockOwned(index));
    const parkedWords = [0, 1, 2].flatMap((index) => [
      layout.clientParkedWord + index,
      layout.serverParkedWord + index,
    ]);
    for (const word of parkedWords) words.store(word, 1);
    const bellWord = layout.controlWord + ControlWord.bell;
    const before = words.load(bellWord);
    waiting.awaitFree({ leftMilliseconds: Infinity, check: () => channel[change]() });
    assertEquals(parkedWords.map((word) => words.load(word)), new Array(6).fill(0));
    assert(words.load(bellWord) !== before);
    for (const word of [...parkedWords, bellWord, layout.controlWord + ControlWord.freeBell]) {
      assert(words.notified.includes(word), `${word} was not notified`);
    }
  });
}

for (const change of ["stop", "announceLeaving"] as const) {
  Deno.test(`who begins to wait for a free port while ${change}() wakes keeps its marks`, () => {
    const { layout, words, channel } = meddledChannel(2);
    const waiting = new Mailboxes(words, { layout, side: "client", ownerId: 1 });
    for (const index of [0, 1]) waiting.toggle(index); // both ports are with the server
    words.beforeNotify = (word) => {
      if (word !== layout.controlWord + ControlWord.freeBell) return;
      for (const index of [0, 1]) assert(waiting.watchUntilFree(index));
    };
    channel[change]();
    const marks = [0, 1].map((index) => words.load(layout.clientParkedWord + index));
    assertEquals(marks, [2, 2]);
  });
}

Deno.test("an unlock wakes those who asked for it, and nobody else", () => {
  const { layout, words } = meddledChannel();
  const client = new Mailboxes(words, { layout, side: "client", ownerId: 1 });
  const server = new Mailboxes(words, { layout, side: "server", ownerId: 2 });
  const freeBellWord = layout.controlWord + ControlWord.freeBell;
  const notifiedBy = (mark: () => void) => {
    client.locks.tryLock(0);
    words.store(layout.serverParkedWord, 1);
    words.notified.length = 0;
    mark();
    client.locks.unlock(0);
    return words.notified;
  };
  assertEquals(notifiedBy(() => {}), []);
  assertEquals(notifiedBy(() => client.watchUntilFree(0)), [freeBellWord]);
  assertEquals(notifiedBy(() => server.locks.watchPeer(0)), [layout.serverParkedWord]);
});

Deno.test("a flip wakes who sleeps on the port, and who waits for any port, and nobody else", () => {
  const { layout, words } = meddledChannel();
  const server = new Mailboxes(words, { layout, side: "server", ownerId: 2 });
  const freeBellWord = layout.controlWord + ControlWord.freeBell;
  const notifiedBy = (marks: number) => {
    words.store(layout.clientParkedWord, marks);
    words.notified.length = 0;
    server.toggle(0);
    server.wakePeer(0);
    assertEquals(words.load(layout.clientParkedWord), 0);
    return [...words.notified];
  };
  assertEquals(notifiedBy(0), []);
  assertEquals(notifiedBy(1), [layout.clientParkedWord]);
  assertEquals(notifiedBy(2), [freeBellWord]);
  assertEquals(notifiedBy(3), [layout.clientParkedWord, freeBellWord]);
});

for (const change of ["stop", "shutDown", "raiseAttention", "announceLeaving"] as const) {
  Deno.test(`${change}() rings when there is something to see: bell and state have changed before`, () => {
    const { layout, words, channel } = meddledChannel();
    channel.enterServing();
    const bellWord = layout.controlWord + ControlWord.bell;
    const before = [channel.stateWord, words.load(bellWord)];
    let ringCount = 0;
    words.notify = (word) => {
      if (word !== bellWord) return;
      ringCount++;
      assert(channel.stateWord !== before[0], "the state has changed");
      assert(words.load(bellWord) !== before[1], "a sleep that begins now ends at once");
    };
    channel[change]();
    assertEquals(ringCount, 1);
  });
}

Deno.test("a ring of either bell changes the bell before it wakes", () => {
  const { layout, words, channel } = meddledChannel();
  const freeBellWord = layout.controlWord + ControlWord.freeBell;
  const place = doorbellPlace(channel.layout);
  words.store(place.sleepersWord, 1);
  const seen: number[][] = [];
  words.notify = (word) => void seen.push([word, words.load(word)]);
  new Doorbell(words, place).ring();
  ringFree(words, freeBellWord);
  assertEquals(seen, [[place.bellWord, 1], [freeBellWord, 1]]);
});
