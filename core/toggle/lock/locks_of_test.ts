import { assert, assertEquals } from "@std/assert";
import { meddledChannel } from "../../testing/fixtures/meddled_words.ts";
import { DESIGN_AXES, isAnonymous } from "../design/channel_design.ts";
import { ControlWord } from "../layout.ts";
import type { Side } from "../side.ts";
import { locksOf } from "./locks_of.ts";
import { ANONYMOUS } from "./port_locks.ts";

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
