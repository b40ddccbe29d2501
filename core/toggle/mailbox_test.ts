import { assert, assertEquals } from "@std/assert";
import { Channel } from "./channel.ts";
import { ControlWord } from "./layout.ts";
import { lockOwner } from "./lock/owner_locks.ts";
import { Mailboxes } from "./mailbox.ts";
import { ownsBuffer, type Side } from "./side.ts";

function bothSides() {
  const { words, layout } = Channel.create({ portCount: 4, laneCount: 1, mailboxWidth: "word" });
  const side = (name: Side, ownerId: number) =>
    new Mailboxes(words, { layout, side: name, ownerId });
  return { words, layout, client: side("client", 1), server: side("server", 2) };
}

Deno.test("Mailboxes: memory follows the rule through all four states, on one port alone", () => {
  const { words, layout, client, server } = bothSides();
  for (let flip = 0; flip < 8; flip++) {
    const inbox = words.load(layout.serverOutboxWord + 2);
    const outbox = words.load(layout.clientOutboxWord + 2);
    const isClients = ownsBuffer("client", { inbox, outbox });
    assertEquals([client.owns(2), client.looksOwned(2)], [isClients, isClients]);
    assertEquals([server.owns(2), server.looksOwned(2)], [!isClients, !isClients]);
    assertEquals([client.owns(1), server.owns(1)], [true, false]);
    (isClients ? client : server).toggle(2);
  }
});

Deno.test("Mailboxes.foreignInbox() is what the inbox holds until the other side flips", () => {
  const { words, client, server } = bothSides();
  for (let round = 0; round < 2; round++) {
    client.toggle(0);
    assertEquals(words.load(client.inboxWord), client.foreignInbox(0));
    server.toggle(0);
    assert(words.load(client.inboxWord) !== client.foreignInbox(0));
  }
});

Deno.test("Mailboxes: a lock is its side's own, and tells who holds it", () => {
  const { words, layout, client, server } = bothSides();
  assert(client.locks.tryLock(3));
  assert(!client.locks.tryLock(3));
  assert(client.locks.looksLocked(3));
  assertEquals([server.locks.peerHolder(3), client.locks.holder(3), client.locks.holder(2)], [
    1,
    1,
    0,
  ]);
  assertEquals(lockOwner(words.load(layout.clientLockWord + 3)), 1);
  assert(server.locks.tryLock(3));
  client.locks.unlock(3);
  assert(!client.locks.looksLocked(3));
  assert(server.locks.looksLocked(3));
});

Deno.test("Mailboxes.watchUntilFree() says no of a free port, and has the bell rung for others", () => {
  const { words, layout, client, server } = bothSides();
  const bell = () => words.load(layout.controlWord + ControlWord.freeBell);
  assert(!client.watchUntilFree(0));
  client.locks.tryLock(0);
  assert(client.watchUntilFree(0));
  assertEquals([lockOwner(words.load(layout.clientLockWord)), bell()], [1, 0]);
  client.toggle(0);
  client.locks.unlock(0);
  assertEquals([words.load(layout.clientLockWord), bell()], [0, 1]);
  assert(client.watchUntilFree(0), "the server has it");
  server.toggle(0);
  server.wakePeer(0);
  assertEquals([bell(), client.watchUntilFree(0)], [2, false]);
});

Deno.test("Mailboxes.watchPeer() has the other side's unlock wake this side", () => {
  const { words, layout, client, server } = bothSides();
  assert(!server.locks.watchPeer(1), "nobody holds it");
  client.locks.tryLock(1);
  assert(server.locks.watchPeer(1));
  words.or(server.parkedWord + 1, 1);
  client.locks.unlock(1);
  assertEquals([words.load(server.parkedWord + 1), words.load(layout.clientLockWord + 1)], [0, 0]);
});
