import { assert, assertEquals } from "@std/assert";
import { meddledChannel } from "../../testing/fixtures/meddled_words.ts";
import { DESIGN_AXES, isAnonymous } from "../design/channel_design.ts";
import { ControlWord } from "../layout.ts";
import type { Side } from "../side.ts";
import { locksOf } from "./locks_of.ts";
import { ANONYMOUS, PEER_WAITS, WAITED } from "./port_locks.ts";

const PORT_COUNT = 40;
const PORTS = [0, 1, 31, 32, 39];

for (const portLock of DESIGN_AXES.portLock) {
  const scene = () => {
    const { words, layout } = meddledChannel(PORT_COUNT, { portLock });
    const of = (side: Side, ownerId: number) => locksOf(words, { layout, side, ownerId });
    const bell = () => words.load(layout.controlWord + ControlWord.freeBell);
    const sides = { client: of("client", 1), other: of("client", 2), server: of("server", 3) };
    return { words, layout, bell, ...sides };
  };
  const holderOf = (id: number) => isAnonymous(portLock) ? ANONYMOUS : id;

  Deno.test(`locks by ${portLock}: a lock is its side's own, and of one worker`, () => {
    const { client, other, server } = scene();
    for (const index of PORTS) {
      assert(client.tryLock(index));
      assertEquals([other.tryLock(index), client.tryLock(index)], [false, false]);
      assertEquals([client, other].map((one) => one.holds(index)), [true, false]);
      assertEquals([client, other].map((one) => one.looksLocked(index)), [true, true]);
      assertEquals([other.holder(index), server.peerHolder(index)], [holderOf(1), holderOf(1)]);
      assertEquals([server.looksLocked(index), server.holder(index)], [false, 0]);
      assert(server.tryLock(index));
      assertEquals([client.peerHolder(index), server.peerHolder(index)], [
        holderOf(3),
        holderOf(1),
      ]);
    }
    assertEquals(other.looksLocked(2), false);
    for (const index of PORTS) client.unlock(index);
    for (const index of PORTS) {
      assertEquals([client.holds(index), other.holder(index)], [false, 0]);
      assert(server.looksLocked(index));
      assert(other.tryLock(index));
    }
  });

  Deno.test(`locks by ${portLock}: what is free of several ports is taken, and dropped as each is`, () => {
    const { client, other, bell } = scene();
    other.tryLock(33);
    other.tryLock(35);
    const [wanted, free] = [0b1111, 0b0101];
    assertEquals(client.tryLockBits(1, wanted), free);
    assertEquals([32, 33, 34, 35].map((index) => client.holds(index)), [true, false, true, false]);
    assertEquals([client.tryLockBits(1, wanted), client.tryLockBits(0, 1 << 31)], [0, 1 << 31]);
    other.watch(34);
    const before = bell();
    client.unlockBits(1, free);
    assertEquals([32, 33, 34, 35].map((index) => other.holder(index)), [
      0,
      holderOf(2),
      0,
      holderOf(2),
    ]);
    assertEquals([client.holds(34), client.holds(31), bell()], [false, true, before + 1]);
  });

  Deno.test(`locks by ${portLock}: a failure leaves the lock to its holder, who can drop it`, () => {
    const { client, other } = scene();
    client.tryLock(5);
    for (let attempt = 0; attempt < 3; attempt++) assert(!other.tryLock(5));
    client.unlock(5);
    assertEquals([other.tryLock(5), client.tryLock(5)], [true, false]);
  });

  Deno.test(`locks by ${portLock}: who watches is told of a drop, once, and of a free port at once`, () => {
    const { client, other, bell } = scene();
    assertEquals(other.watch(33), false);
    client.tryLock(33);
    const before = bell();
    assertEquals([other.watch(33), other.watch(33)], [true, true]);
    client.unlock(33);
    assertEquals(bell(), before + 1);
    client.tryLock(33);
    client.unlock(33);
    assertEquals(bell(), before + 1, "nobody has asked since");
  });

  Deno.test(`locks by ${portLock}: the other side is woken on its own port, and asks no free lock`, () => {
    const { client, server, words, layout, bell } = scene();
    assertEquals(server.watchPeer(1), false);
    client.tryLock(1);
    for (const index of [0, 1]) words.store(layout.serverParkedWord + index, 1);
    assertEquals([server.watchPeer(1), server.watchPeer(1)], [true, true]);
    client.unlock(1);
    assertEquals([0, 1].map((index) => words.load(layout.serverParkedWord + index)), [1, 0]);
    assertEquals([words.notified, bell()], [[layout.serverParkedWord + 1], 0]);
  });

  Deno.test(`locks by ${portLock}: a mark that is set when the lock is dropped is not missed`, () => {
    const { client, other, words, layout, bell } = scene();
    client.tryLock(0);
    let watched: boolean | undefined;
    const { notify } = words;
    words.afterLoad = (word) => {
      // In the middle of the watch, behind its first look at any word of the port.
      if (watched !== undefined || word === layout.controlWord + ControlWord.freeBell) return;
      watched = true;
      client.unlock(0);
    };
    const isHeld = other.watch(0);
    words.afterLoad = () => {};
    words.notify = notify;
    assert(!isHeld || bell() === 1, "it sleeps, and nobody rings");
  });
}

Deno.test("locks by fetch-add: who takes back what it added tells those who took that for a holder", () => {
  const { words, layout } = meddledChannel(1, { portLock: "fetch-add" });
  const [holder, hasty, waiting] = [1, 2, 3].map((ownerId) =>
    locksOf(words, { layout, side: "client", ownerId })
  );
  const bell = () => words.load(layout.controlWord + ControlWord.freeBell);
  holder!.tryLock(0);
  const add = words.add.bind(words);
  let isWatched = false;
  words.add = (word, value) => {
    const before = add(word, value);
    if (word !== layout.clientLockWord || value !== 1 || before !== 1) return before;
    holder!.unlock(0);
    assert(waiting!.watch(0), "the addition looks like a holder");
    isWatched = true;
    return before;
  };
  assertEquals(hasty!.tryLock(0), false);
  assertEquals([isWatched, bell(), waiting!.watch(0)], [true, 1, false]);
});

for (const portLock of DESIGN_AXES.portLock) {
  Deno.test(`locks by ${portLock}: a drop wakes who waits for the port and who waits for its holder`, () => {
    const { words, layout } = meddledChannel(1, { portLock });
    const own = locksOf(words, { layout, side: "client", ownerId: 1 });
    const peer = locksOf(words, { layout, side: "server", ownerId: 2 });
    assert(own.tryLock(0));
    words.store(layout.serverParkedWord, 1);
    assertEquals([own.watch(0), peer.watchPeer(0)], [true, true]);
    own.unlock(0);
    const bellWord = layout.controlWord + ControlWord.freeBell;
    assertEquals(words.notified.toSorted(), [bellWord, layout.serverParkedWord].toSorted());
  });
}

for (const portLock of DESIGN_AXES.portLock.filter(isAnonymous)) {
  const scene = () => {
    const { words, layout } = meddledChannel(2, { portLock });
    const [locks, other] = [1, 2].map((ownerId) =>
      locksOf(words, { layout, side: "client", ownerId })
    );
    assert(locks!.tryLock(1));
    return { words, layout, locks: locks!, other: other!, marksWord: layout.clientMarksWord + 1 };
  };

  Deno.test(`locks by ${portLock}: a mark that another thread has just set is seen at the drop`, () => {
    const { words, layout, locks, marksWord } = scene();
    words.storeElsewhere(marksWord, WAITED);
    locks.unlock(1);
    assertEquals(words.notified, [layout.controlWord + ControlWord.freeBell]);
  });

  Deno.test(`locks by ${portLock}: a mark that is set while others are taken away is not lost`, () => {
    const { words, layout, locks, marksWord } = scene();
    const parkedWord = layout.serverParkedWord + 1;
    words.store(parkedWord, 1);
    words.or(marksWord, WAITED);
    const meddle = (word: number) => {
      if (word === marksWord) words.or(marksWord, PEER_WAITS);
    };
    words.beforeStore = meddle;
    words.beforeExchange = meddle;
    locks.unlock(1);
    const isLeft = (words.load(marksWord) & PEER_WAITS) !== 0;
    assert(isLeft || words.notified.includes(parkedWord), "it is kept, or its sleeper woken");
  });

  Deno.test(`locks by ${portLock}: whoever is woken by a drop finds the port free`, () => {
    const { words, locks, other, marksWord } = scene();
    words.or(marksWord, WAITED);
    const taken: boolean[] = [];
    words.beforeNotify = () => taken.push(other.tryLock(1));
    locks.unlock(1);
    assertEquals(taken, [true]);
  });

  Deno.test(`locks by ${portLock}: a neighbour's lock that is taken meanwhile stays taken`, () => {
    const { words, locks, other } = scene();
    locks.unlock(1);
    let isTaken = false;
    words.beforeStore = () => {
      words.beforeStore = () => {};
      isTaken = other.tryLock(0);
    };
    assert(locks.tryLock(1));
    isTaken ||= other.tryLock(0);
    assertEquals([isTaken, locks.tryLock(0)], [true, false]);
    assertEquals([0, 1].map((index) => other.holder(index)), [ANONYMOUS, ANONYMOUS]);
  });
}
