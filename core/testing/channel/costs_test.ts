/** What is done once, or not at all, though nobody could tell by the outcome: counted, not timed. */
import { assertEquals, assertStrictEquals, assertThrows } from "@std/assert";
import type { Packet } from "../../memory/packet.ts";
import { Channel } from "../../toggle/channel.ts";
import { Client } from "../../toggle/client/client.ts";
import { Mailboxes } from "../../toggle/mailbox.ts";
import { Server } from "../../toggle/server/server.ts";
import { ServiceTable } from "../../toggle/server/service_table.ts";
import { InboxWaiter, type PortWaiter } from "../../wait/inbox_waiter.ts";
import { BURST_POLLS } from "../../wait/tuning.ts";
import { oneThread } from "../fixtures/one_thread.ts";
import { tracedChannel, TracedWords } from "../fixtures/traced_words.ts";

const OPCODE = 40_000;
const SHAPE = { portCount: 1, laneCount: 1 } as const;

Deno.test("a server uses one packet object for all calls that it operates on", () => {
  const { client, server } = oneThread(SHAPE);
  const seen: Packet[] = [];
  server.operate(OPCODE, (packet) => void seen.push(packet));
  for (let call = 0; call < 2; call++) client.call(OPCODE, { fill() {}, use() {} });
  assertStrictEquals(seen[0], seen[1]);
});

Deno.test("a client keeps its packet object when it finds no port", () => {
  const { client, server } = oneThread(SHAPE);
  server.operate(OPCODE, () => {});
  const seen: Packet[] = [];
  const cast = () =>
    client.cast(OPCODE, (packet) => void seen.push(packet), { timeoutSeconds: 0.001 });
  cast();
  assertThrows(cast, DOMException);
  server.runOnce();
  cast();
  assertStrictEquals(seen[0], seen[1]);
});

Deno.test("a client that has the answer already does not ask its waiter", async () => {
  const channel = Channel.create(SHAPE);
  const server = new Server(channel);
  server.operate(OPCODE, () => {});
  let waitCount = 0;
  const waiter: PortWaiter = {
    wait: () => waitCount++,
    waitAsync: () => Promise.resolve(void waitCount++),
  };
  const client = new Client(channel, { waiter });
  using port = client.open(OPCODE);
  const sent = port.send(() => {});
  server.runOnce();
  await sent.recvAsync(() => {});
  assertEquals(waitCount, 0);
});

Deno.test("a service table looks up once what is asked for again", () => {
  const table = new ServiceTable();
  table.set(OPCODE, { operate() {} });
  table.find(OPCODE);
  const { get } = Map.prototype;
  let getCount = 0;
  Map.prototype.get = function (key) {
    getCount++;
    return get.call(this, key);
  };
  try {
    table.find(OPCODE);
  } finally {
    Map.prototype.get = get;
  }
  assertEquals(getCount, 0);
});

Deno.test("a lock is marked once, whoever looks again", () => {
  const { channel: { layout }, words } = tracedChannel(1, 0);
  const [holder, waiting] = [1, 2].map((ownerId) =>
    new Mailboxes(words, { layout, side: "client", ownerId })
  );
  holder!.locks.tryLock(0);
  waiting!.locks.watch(0);
  words.takeTrace();
  waiting!.locks.watch(0);
  assertEquals(words.takeTrace(), "load clientLock");
});

Deno.test("a waiter polls as often as its strategy says before it looks whether it may go on", () => {
  for (
    const [name, pollCount] of [["spin", BURST_POLLS], ["park", 1], ["spin-pause", 0]] as const
  ) {
    const words = new TracedWords(8, new Map([[0, "inbox"]]));
    const guard = {
      leftMilliseconds: Infinity,
      check() {
        throw new Error("enough");
      },
    };
    const waiter = new InboxWaiter(words, { inboxWord: 0, parkedWord: 1 }, name);
    assertThrows(() => waiter.wait(0, 0, guard), Error, "enough");
    const polls = words.takeTrace().split(", ").filter((access) => access === "load inbox");
    assertEquals(polls.length, pollCount + 1, name); // and one of the long wait
  }
});
