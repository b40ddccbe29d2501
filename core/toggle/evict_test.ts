import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { CallError } from "../call/call_error.ts";
import { Status } from "../memory/status.ts";
import { meddledChannel } from "../testing/fixtures/meddled_words.ts";
import { statusOf } from "../testing/fixtures/status_of.ts";
import { Channel } from "./channel.ts";
import { Client } from "./client/client.ts";
import { evictClient, evictServer } from "./evict.ts";
import { ChannelState } from "./layout.ts";
import { LEAVE_SLOTS } from "./leave_requests.ts";
import { PEER_WAITS, WAITED } from "./lock/port_locks.ts";
import { Server } from "./server/server.ts";

const OPCODE = 40_000;
const WORK = { fill() {}, use() {} };
const SOON = { timeoutSeconds: 0.01 };

Deno.test("evictServer(): a server that looks leaves, and serves nothing afterwards", async () => {
  const channel = Channel.create({ portCount: 2, laneCount: 1 });
  const [leaving, staying] = [new Server(channel), new Server(channel)];
  for (const server of [leaving, staying]) {
    server.announce();
    server.operate(OPCODE, () => {});
  }
  const asked = evictServer(channel, leaving.id, { timeoutSeconds: 10 });
  assertEquals(leaving.run(), false);
  assertEquals(await asked, { hasLeft: true, heldPortCount: 0 });
  const sent = new Client(channel).open(OPCODE).send(() => {});
  assertEquals([leaving.runOnce(), leaving.runAll(), leaving.tryOpen()], [false, 0, undefined]);
  assertEquals([staying.runOnce(), channel.state], [true, ChannelState.running]);
  sent.recv(() => {}).close();
  const last = evictServer(channel, staying.id, { timeoutSeconds: 10 });
  assertEquals(staying.run(), false);
  await last;
  assertEquals(channel.state, ChannelState.stopped);
});

Deno.test("evictServer(): who holds a call keeps its port, and its caller learns of it", async () => {
  const channel = Channel.create({ portCount: 2, laneCount: 1 });
  const [deaf, other] = [new Server(channel), new Server(channel)];
  for (const server of [deaf, other]) server.announce();
  const client = new Client(channel);
  const lost = client.open(OPCODE).send(() => {});
  const held = deaf.tryOpen()!;
  assertEquals(await evictServer(channel, deaf.id, SOON), { hasLeft: false, heldPortCount: 1 });
  const error = assertThrows(() => lost.recv(() => {}), CallError);
  assertEquals(error.status, Status.serverGone);
  lost.close();
  assert(client.tryOpen(OPCODE), "the other port goes on");
  assertEquals(client.tryOpen(OPCODE), undefined);
  held.recv(() => {}).send(() => {}).close(); // comes back: its late writes reach nobody
  assertEquals(deaf.tryOpen(), undefined);
  assert(client.tryOpen(OPCODE), "its port is free again");
});

Deno.test("A caller gets an error when every port is with workers that do not answer", async () => {
  const channel = Channel.create({ portCount: 1, laneCount: 1 });
  const deaf = new Client(channel);
  const held = deaf.open(OPCODE);
  const client = new Client(channel, { waiter: "park" });
  assertEquals((await evictClient(channel, deaf.id, SOON)).heldPortCount, 1);
  assertThrows(() => client.call(OPCODE, WORK), CallError, "every port is held by a worker");
  held.close();
  assertEquals(client.tryOpen(OPCODE) === undefined, false);
});

Deno.test("evictClient(): its next call says that it was asked, and so does every later one", async () => {
  const channel = Channel.create({ portCount: 1, laneCount: 1 });
  const client = new Client(channel);
  const asked = evictClient(channel, client.id, { timeoutSeconds: 10 });
  assertEquals(statusOf(() => client.call(OPCODE, WORK)), Status.askedToLeave);
  assertEquals(await asked, { hasLeft: true, heldPortCount: 0 });
  assertEquals(statusOf(() => client.cast(OPCODE, () => {})), Status.askedToLeave);
});

Deno.test("evictServer(): more servers may leave at once than there are slots", async () => {
  const channel = Channel.create({ portCount: 1, laneCount: 1 });
  const servers = Array.from({ length: LEAVE_SLOTS + 8 }, () => new Server(channel));
  const served = servers.map(async (server) => {
    await server.runAsync();
  });
  const limit = { timeoutSeconds: 30 };
  const reports = await Promise.all(servers.map(({ id }) => evictServer(channel, id, limit)));
  assertEquals(reports.filter(({ hasLeft }) => !hasLeft), []);
  await Promise.all(served);
  assertEquals(channel.state, ChannelState.stopped);
});

Deno.test("evictServer() twice counts the server out once, whether it answers or not", async () => {
  for (const answers of [true, false]) {
    const channel = Channel.create({ portCount: 1, laneCount: 1 });
    const [leaving, staying] = [new Server(channel), new Server(channel)];
    for (const server of [leaving, staying]) server.announce();
    const limit = answers ? { timeoutSeconds: 10 } : SOON;
    const reports = [
      evictServer(channel, leaving.id, limit),
      evictServer(channel, leaving.id, limit),
    ];
    if (answers) assertEquals(leaving.run(), false);
    const outcomes = (await Promise.all(reports)).map(({ hasLeft }) => hasLeft);
    assertEquals([outcomes, channel.state], [[answers, answers], ChannelState.running]);
  }
});

Deno.test("evictServer() knows who has left already, and who was never there", async () => {
  for (const answers of [true, false]) {
    const channel = Channel.create({ portCount: 1, laneCount: 1 });
    const [leaving, staying] = [new Server(channel), new Server(channel)];
    for (const server of [leaving, staying]) server.announce();
    const asked = evictServer(channel, leaving.id, answers ? { timeoutSeconds: 10 } : SOON);
    if (answers) leaving.run();
    await asked;
    assertEquals(leaving.runOnce(), false); // late, where it did not answer before
    const left = { hasLeft: true, heldPortCount: 0 };
    assertEquals(await evictServer(channel, leaving.id, SOON), left);
    for (const id of [0, -1, 1.5, NaN, 3, 2 ** 30, undefined as unknown as number]) {
      await assertRejects(() => evictServer(channel, id, SOON), RangeError, `${id}`);
      await assertRejects(() => evictClient(channel, id, SOON), RangeError, `${id}`);
    }
    assertEquals([channel.state, channel.leaveRequests.hasGivenUp()], [
      ChannelState.running,
      false,
    ]);
  }
});

Deno.test("evictClient() refuses what is no time, and asks nobody", async () => {
  const channel = Channel.create({ portCount: 1, laneCount: 1 });
  const client = new Client(channel);
  for (const timeoutSeconds of [NaN, -1]) {
    await assertRejects(() => evictClient(channel, client.id, { timeoutSeconds }), RangeError);
  }
  client.open(OPCODE).close();
});

Deno.test("evictClient() waits for an answer one second, or as long as it is told, and no longer", async () => {
  const { channel, words, layout } = meddledChannel(3);
  const waits: unknown[] = [];
  words.waitAsync = (word, value, milliseconds) =>
    Promise.resolve(void waits.push([word, value, milliseconds]));
  const client = new Client(channel);
  const held = [client.open(OPCODE), client.open(OPCODE)];
  const report = { hasLeft: false, heldPortCount: 2 };
  assertEquals(await evictClient(channel, client.id), report);
  assertEquals(await evictClient(channel, client.id, { timeoutSeconds: 0.25 }), report);
  assertEquals(waits, [[layout.leaveWord, client.id, 1000], [layout.leaveWord, client.id, 250]]);
  assertEquals(channel.state, ChannelState.running, "a client takes no channel with it");
  for (const port of held) port.close();
});

Deno.test("evictServer() raises attention before it waits, and again when it has given up", async () => {
  const { channel, words } = meddledChannel();
  const seen = [channel.stateWord];
  words.waitAsync = () => Promise.resolve(void seen.push(channel.stateWord));
  const [deaf, other] = [new Server(channel), new Server(channel)];
  for (const server of [deaf, other]) server.announce();
  await evictServer(channel, deaf.id);
  seen.push(channel.stateWord);
  assertEquals(new Set(seen).size, 3);
});

Deno.test("evictClient() counts the ports that are held when it gives up, not those that were", async () => {
  const { channel, words, layout } = meddledChannel(2);
  const client = new Client(channel);
  const held = [client.open(OPCODE), client.open(OPCODE)];
  words.waitAsync = () => Promise.resolve(words.storeElsewhere(layout.clientLockWord + 1, 0));
  assertEquals((await evictClient(channel, client.id)).heldPortCount, 1);
  held.find(({ index }) => index === 0)!.close();
});

Deno.test("evictServer() has written its request, and later its end, when it wakes who is asked", async () => {
  const { channel, words } = meddledChannel();
  const { leaveRequests } = channel;
  const deaf = new Server(channel);
  const seen = new Set<string>();
  words.beforeNotify = () =>
    void seen.add(`${leaveRequests.isAsked(deaf.id)} ${leaveRequests.isGivenUp(deaf.id)}`);
  words.waitAsync = () => Promise.resolve();
  await evictServer(channel, deaf.id);
  assertEquals([...seen], ["true false", "true true"]);
});

Deno.test("evictServer() that finds every slot taken changes nothing", async () => {
  const { channel, words } = meddledChannel();
  for (let id = 1; id <= LEAVE_SLOTS; id++) channel.leaveRequests.ask(id);
  const ids = Array.from({ length: LEAVE_SLOTS + 1 }, () => channel.takeOwnerId());
  const before = [...words.plain];
  await assertRejects(() => evictServer(channel, ids.at(-1)!, SOON), RangeError, "Cannot ask 33");
  assertEquals([[...words.plain], words.notified], [before, []]);
});

Deno.test("evictServer(): where locks do not say who holds a port, who does not answer is counted out", async () => {
  const channel = Channel.create({ portCount: 2, laneCount: 1, portLock: "fetch-or" });
  const [deaf, leaving] = [new Server(channel), new Server(channel)];
  for (const server of [deaf, leaving]) server.announce();
  new Client(channel).open(OPCODE).send(() => {});
  const held = deaf.tryOpen()!;
  const text = `which ports ${deaf.id} keeps, which did not leave in time, as portLock fetch-or`;
  await assertRejects(() => evictServer(channel, deaf.id, SOON), TypeError, text);
  const asked = evictServer(channel, leaving.id, { timeoutSeconds: 10 });
  assertEquals(leaving.run(), false);
  assertEquals(await asked, { hasLeft: true, heldPortCount: 0 });
  assertEquals(channel.state, ChannelState.stopped, "the other one was counted out");
  held.recv(() => {}).send(() => {}).close();
  assertEquals(deaf.runOnce(), false);
  const again = await evictServer(channel, deaf.id, SOON);
  assertEquals(again, { hasLeft: true, heldPortCount: 0 }, "it has come back and left");
});

Deno.test("evictClient() counts the ports that others wait for, too", async () => {
  for (const marks of [0, WAITED, PEER_WAITS, WAITED | PEER_WAITS]) {
    const channel = Channel.create({ portCount: 2, laneCount: 1 });
    const client = new Client(channel);
    client.open(OPCODE);
    channel.words.or(channel.layout.clientLockWord, marks);
    const report = await evictClient(channel, client.id, SOON);
    assertEquals(report, { hasLeft: false, heldPortCount: 1 }, `${marks}`);
  }
});
