import { assert, assertEquals } from "@std/assert";
import { CallError } from "../../call/call_error.ts";
import { Channel } from "../channel.ts";
import { Client } from "../client/client.ts";
import { evictClient } from "../evict.ts";
import { ControlWord } from "../layout.ts";
import { Server } from "../server/server.ts";
import { locksOf } from "./locks_of.ts";

const OPCODE = 40_000;
const WORK = { fill() {}, use() {} };

/** A client that is served in its own thread, and the lock of the first port as each side has it. */
function scene(portCount = 1) {
  const channel = Channel.create({ portCount, laneCount: 1, portLock: "held" });
  const server = new Server(channel);
  server.operate(OPCODE, () => {});
  const waiter = { wait: () => void server.runOnce(), waitAsync: () => Promise.reject() };
  const client = new Client(channel, { waiter });
  const { words, layout } = channel;
  const holders = () => [layout.clientLockWord, layout.serverLockWord].map((at) => words.load(at));
  return { channel, server, client, words, layout, holders, call: () => client.call(OPCODE, WORK) };
}

function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 1));
}

Deno.test("HeldLocks: a sole client and a sole server keep their port until the event loop turns", async () => {
  const { call, client, server, holders } = scene();
  for (let round = 0; round < 2; round++) {
    for (let count = 0; count < 3; count++) {
      call();
      assertEquals(holders(), [client.id, server.id]);
    }
    await turn();
    assertEquals(holders(), [0, 0]);
  }
});

Deno.test("HeldLocks: one that is kept is not taken by others, nor taken for one that is in use", () => {
  const { call, client, words, layout } = scene();
  call();
  const other = locksOf(words, { layout, side: "client", ownerId: 77 });
  assertEquals([other.tryLock(0), other.looksLocked(0), other.holder(0)], [false, true, client.id]);
});

Deno.test("HeldLocks: who is joined by another drops its port at its next look, and keeps none", () => {
  const { call, channel, server, holders } = scene();
  call();
  const second = new Client(channel);
  assert(holders()[0] !== 0);
  call();
  assertEquals(holders(), [0, server.id]);
  const secondServer = new Server(channel);
  assertEquals(server.runOnce(), false);
  assertEquals(holders(), [0, 0]);
  call();
  assertEquals(holders(), [0, 0]);
  assert(second.id !== secondServer.id);
});

Deno.test("HeldLocks: a port that somebody waits for is not kept, and its bell is rung", () => {
  const { call, words, layout, holders } = scene();
  call();
  const other = locksOf(words, { layout, side: "client", ownerId: 77 });
  assert(other.watch(0));
  const bellWord = layout.controlWord + ControlWord.freeBell;
  const before = words.load(bellWord);
  call();
  assertEquals([holders()[0], words.load(bellWord)], [0, before + 1]);
});

Deno.test("HeldLocks: a call that goes on elsewhere, or was longer, leaves no port behind", () => {
  const { client, server, holders } = scene();
  client.cast(OPCODE, () => {});
  assertEquals(holders()[0], 0);
  server.runAll();
  const sent = client.open(OPCODE).send(() => {});
  const served = server.tryOpen()!.recv(() => {}).send(() => {});
  const again = sent.recv(() => {}).send(() => {});
  served.recv(() => {}).close();
  again.recv(() => {}).close();
  assertEquals(holders()[0], 0);
});

Deno.test("HeldLocks: one port is kept, the last of several that are dropped is not", () => {
  const { client, words, layout } = scene(2);
  const ports = [0, 1].map(() => client.open(OPCODE).send(() => {}).recv(() => {}));
  for (const port of ports) port.close();
  const held = [0, 1].map((index) => words.load(layout.clientLockWord + index));
  assertEquals(held.toSorted(), [0, client.id]);
  const again = [0, 1].map(() => client.tryOpen(OPCODE)?.index);
  assertEquals(again.toSorted(), [0, 1]);
});

Deno.test("HeldLocks: a client that is asked to leave drops what it kept, and answers", async () => {
  const { call, channel, client, holders } = scene();
  call();
  const asked = evictClient(channel, client.id, { timeoutSeconds: 10 });
  let error: unknown;
  try {
    call();
  } catch (thrown) {
    error = thrown;
  }
  assert(error instanceof CallError);
  assertEquals(holders()[0], 0);
  assertEquals(await asked, { hasLeft: true, heldPortCount: 0 });
});
