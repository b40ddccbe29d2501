import { assert, assertEquals, assertThrows } from "@std/assert";
import { meddledChannel } from "../../testing/fixtures/meddled_words.ts";
import { Channel } from "../channel.ts";
import { mailboxesOf } from "../design/mailboxes_of.ts";
import { PartGuard, PARTS_OVER, PortParts } from "./port_parts.ts";
import type { Side } from "../side.ts";

const PLAN = { count: 5, window: 2 };

function bothSides() {
  const { words, layout } = Channel.create({ portCount: 2, laneCount: 1 });
  const partsOf = (side: Side) => {
    const mailboxes = mailboxesOf(words, { layout, side, ownerId: 1 });
    return new PortParts(words, { layout, side, mailboxes, waiter: "park" });
  };
  return { words, layout, client: partsOf("client"), server: partsOf("server") };
}

function over(): PartGuard {
  return new PartGuard(() => undefined, () => {
    throw PARTS_OVER;
  });
}

for (const begin of [0, 7, 2 ** 31 - 3]) {
  Deno.test(`PortParts: a sender is never more than a window ahead, from a count of ${begin} on`, () => {
    const { words, layout, client, server } = bothSides();
    words.store(layout.serverPartsWord + 1, begin | 0);
    client.offer(1);
    assert(!client.isAccepted(1), "nobody has taken the offer");
    server.accept(1);
    assert(client.isAccepted(1) && client.isAccepted(0));
    const steps: string[] = [];
    let taken = 0;
    const sending = new PartGuard(() => undefined, () => {
      // What the server does while the client would sleep: it takes one part.
      words.add(layout.serverPartsWord + 1, 1);
      steps.push(`took ${taken++}`);
    });
    client.produce(1, PLAN, sending, (part) => steps.push(`filled ${part}`));
    const order = "filled 0,filled 1,took 0,filled 2,took 1,filled 3,took 2,filled 4";
    assertEquals(steps.join(), order);
    server.accept(1);
    const none = server.drain(1, PLAN, over(), () => steps.push("too much"));
    assertEquals([none, steps.includes("too much")], [false, false]);
  });
}

Deno.test("PortParts: an offer is open until it is taken, whatever was offered before and not taken", () => {
  const { client, server } = bothSides();
  // Each letter is an offer of the client or the server; that of a capital is taken.
  for (const side of "c s c C s s S c s C C s") {
    if (side === " ") continue;
    const isClient = side.toLowerCase() === "c";
    const [sender, receiver] = isClient ? [client, server] : [server, client];
    sender.offer(0);
    assertEquals(sender.isAccepted(0), false);
    if (side === side.toLowerCase()) continue;
    receiver.accept(0);
    assertEquals(sender.isAccepted(0), true);
  }
});

Deno.test("PortParts: a receiver takes what is there, and says when it takes no more", () => {
  const { client, server } = bothSides();
  client.offer(0);
  server.accept(0);
  const filled: number[] = [];
  client.produce(0, { count: 2, window: 2 }, over(), (part) => filled.push(part));
  const took: number[] = [];
  assert(!server.drain(0, PLAN, over(), (part) => took.push(part)));
  assertEquals([filled, took, client.isAccepted(0)], [[0, 1], [0, 1], false]);
  const more: number[] = [];
  client.produce(0, { count: 1000, window: 2 }, over(), (part) => more.push(part));
  assert(more.length <= 2, "a sender does not fill for nobody");
});

Deno.test("PortParts: what a callback or a guard throws comes out, and ends the receiver's part", () => {
  const { client, server } = bothSides();
  client.offer(0);
  server.accept(0);
  const broken = (): never => {
    throw new Error("broken");
  };
  assertThrows(() => client.produce(0, PLAN, over(), broken), Error, "broken");
  const late = new PartGuard(() => undefined, broken);
  assertThrows(() => server.drain(0, PLAN, late, () => {}), Error, "broken");
  assert(!client.isAccepted(0));
});

Deno.test("PartGuard begins the time of a wait at its first check", () => {
  let limits = 0;
  const guard = new PartGuard(() => (limits++, undefined), () => {});
  guard.renew();
  assertEquals(limits, 0);
  guard.check();
  assertEquals([guard.leftMilliseconds, limits], [Infinity, 1]);
  guard.renew().check();
  assertEquals(limits, 2);
});

Deno.test("PortParts: a receiver takes nothing of a sender that counts beyond the window", () => {
  for (const ahead of [3, 4, 1 << 29, 2 ** 31 - 1]) {
    const { words, layout, client, server } = bothSides();
    client.offer(1);
    server.accept(1);
    words.add(layout.clientPartsWord + 1, ahead);
    const took: number[] = [];
    const plan = { count: 3, window: 2 };
    const isWhole = server.drain(1, plan, over(), (part) => took.push(part));
    assertEquals([isWhole, took], [false, []], `${ahead}`);
  }
});

/** A sender alone, with words that say what it does to them. */
function oneSender() {
  const { words, layout } = meddledChannel(1);
  const mailboxes = mailboxesOf(words, { layout, side: "client", ownerId: 1 });
  const view = { layout, side: "client", mailboxes, waiter: "park" } as const;
  return { words, layout, parts: new PortParts(words, view) };
}

Deno.test("PortParts: who takes no more wakes a sender that waits for a place", () => {
  const { words, layout, parts } = oneSender();
  words.store(layout.serverParkedWord, 1);
  parts.end(0);
  assertEquals([words.notified, words.load(layout.serverParkedWord)], [
    [layout.serverParkedWord],
    0,
  ]);
});

Deno.test("PortParts: whoever is woken for a part finds it counted", () => {
  const { words, layout, parts } = oneSender();
  words.store(layout.serverParkedWord, 1);
  const counts: number[] = [];
  words.beforeNotify = () => counts.push(words.load(layout.clientPartsWord));
  parts.produce(0, { count: 1, window: 2 }, over(), () => {});
  assertEquals(counts, [1]);
});

Deno.test("PortParts: each wait for a place has a limit of its own, and each part is stored in order", () => {
  const { words, layout, parts } = oneSender();
  const stored: number[] = [];
  words.beforeStore = (word) => stored.push(word);
  let limitCount = 0;
  const newLimit = () => void limitCount++ as undefined;
  const guard = new PartGuard(newLimit, () => void words.add(layout.serverPartsWord, 1));
  parts.produce(0, { count: 5, window: 2 }, guard, () => {});
  assertEquals([limitCount, stored], [3, Array(5).fill(layout.clientPartsWord)]);
});
