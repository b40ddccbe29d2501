import { assert, assertEquals, assertThrows } from "@std/assert";
import { CallError } from "../call/call_error.ts";
import { Channel } from "./channel.ts";
import { DESIGN_AXES, isAnonymous } from "./design/channel_design.ts";
import { ChannelState } from "./layout.ts";
import { fullMask } from "../memory/lane_mask.ts";
import { meddledChannel } from "../testing/fixtures/meddled_words.ts";
import { Client } from "./client/client.ts";
import { ClientSide } from "./client/client_side.ts";
import { evictClient, evictServer } from "./evict.ts";
import { buryServer, reclaimClient, reclaimServer } from "./reclaim.ts";
import { Server } from "./server/server.ts";
import { CallAbandonedError, ServerSide } from "./server/server_side.ts";
import { Status } from "../memory/status.ts";

const OPCODE = 40_000;
function skip(): void {}

Deno.test("reclaimClient() frees the ports of that client alone, whatever it was doing", () => {
  const channel = Channel.create({ portCount: 4, laneCount: 1 });
  const lost = new Client(channel);
  const living = new Client(channel);
  const server = new Server(channel);
  server.operate(OPCODE, skip);
  lost.open(OPCODE);
  lost.open(OPCODE).send(skip);
  const kept = living.open(OPCODE);
  assertEquals(reclaimClient(channel, lost.id), 2);
  assertEquals(reclaimClient(channel, lost.id), 0);
  assertEquals(server.runAll(), 1);
  const others = Array.from({ length: 3 }, () => living.tryOpen(OPCODE));
  assertEquals(others.map((port) => port === undefined), [false, false, false]);
  assertEquals(living.tryOpen(OPCODE), undefined);
  kept.close();
});

for (const discovery of ["hint", "scan"] as const) {
  Deno.test(`reclaimClient() leaves the packet to a server that is in the middle of the call: ${discovery}`, () => {
    const channel = Channel.create({ portCount: 1, laneCount: 1, discovery });
    const [lost, next] = [new Client(channel), new Client(channel)];
    const faults: unknown[] = [];
    const server = new Server(channel, { onFault: (fault) => faults.push(fault) });
    lost.open(OPCODE).send(skip);
    const serving = server.tryOpen()!.recv(skip).send(skip);
    const { words, layout } = channel;
    words.store(layout.hintWord, 0);
    assertEquals(reclaimClient(channel, lost.id), 1);
    assertEquals(words.load(layout.hintWord), discovery === "hint" ? 1 : 0);
    assertEquals(next.tryOpen(OPCODE), undefined, "the server may still store to the packet");
    assertThrows(() => serving.recv(skip), CallAbandonedError);
    serving.close();
    assertEquals([server.runAll(), server.runAll(), faults], [1, 0, []]);
    next.tryOpen(OPCODE)!.close();
  });
}

Deno.test("reclaimClient() takes no packet from a server that works on it", () => {
  const channel = Channel.create({ portCount: 1, laneCount: 1 });
  const [lost, next] = [new Client(channel), new Client(channel)];
  const server = new Server(channel);
  lost.open(OPCODE).send(skip);
  const serving = server.tryOpen()!;
  assertEquals(reclaimClient(channel, lost.id), 1);
  serving.recv(skip).close();
  next.tryOpen(OPCODE)!.close();
});

Deno.test("reclaimServer() answers the call that the dead server held", () => {
  const channel = Channel.create({ portCount: 2, laneCount: 1 });
  const client = new Client(channel);
  const [lost, heir] = [new Server(channel), new Server(channel)];
  for (const server of [lost, heir]) server.announce();
  const sent = client.open(OPCODE).send(skip);
  lost.tryOpen()!.recv(skip);
  assertEquals(reclaimServer(channel, lost.id), 1);
  const error = assertThrows(() => sent.recv(skip), CallError);
  assertEquals(error.status, Status.serverGone);
  sent.close();
  heir.operate(OPCODE, skip);
  const again = client.open(OPCODE).send(skip);
  assertEquals(heir.runOnce(), true);
  again.recv(skip).close();
});

Deno.test("reclaimServer() stops the channel when that was the last server", () => {
  const channel = Channel.create({ portCount: 2, laneCount: 1 });
  const lost = new Server(channel);
  lost.announce();
  assertEquals(reclaimServer(channel, lost.id), 0);
  assertEquals(channel.state, ChannelState.stopped);
});

Deno.test("reclaimServer() frees what a server kept that was given up on, and counts it out once", async () => {
  const channel = Channel.create({ portCount: 1, laneCount: 1 });
  const [deaf, heir] = [new Server(channel), new Server(channel)];
  for (const server of [deaf, heir]) server.announce();
  const client = new Client(channel);
  const lost = client.open(OPCODE).send(skip);
  deaf.tryOpen();
  const report = await evictServer(channel, deaf.id, { timeoutSeconds: 0.01 });
  assertEquals(report, { hasLeft: false, heldPortCount: 1 });
  lost.close();
  assertEquals(reclaimServer(channel, deaf.id), 1);
  assertEquals([channel.state, channel.leaveRequests.hasGivenUp()], [ChannelState.running, false]);
  heir.operate(OPCODE, skip);
  const again = client.open(OPCODE).send(skip);
  assertEquals(heir.runOnce(), true);
  again.recv(skip).close();
});

Deno.test("reclaimServer() counts a server out once, and refuses the id of nobody", () => {
  const channel = Channel.create({ portCount: 1, laneCount: 1 });
  const [lost, heir] = [new Server(channel), new Server(channel)];
  for (const server of [lost, heir]) server.announce();
  for (let time = 0; time < 2; time++) reclaimServer(channel, lost.id);
  for (const id of [0, 0.5, 99]) {
    assertThrows(() => reclaimServer(channel, id), RangeError);
    assertThrows(() => reclaimClient(channel, id), RangeError);
  }
  assertEquals(channel.state, ChannelState.running);
});

Deno.test("reclaimServer() answers a call before it lets another server have the port", () => {
  const { channel, words, layout } = meddledChannel();
  const [lost, heir] = [0, 1].map(() =>
    new ServerSide(channel, { waiter: "park", clientTimeoutSeconds: 5 })
  );
  const client = new ClientSide(channel, "park");
  assert(client.tryLockOwned(0));
  client.begin(0, OPCODE, fullMask(1));
  client.giveAway(0);
  assert(lost!.tryLockOwned(0));
  let isDropped = false;
  words.beforeStore = (word) => {
    if (word !== layout.serverLockWord) return;
    isDropped = true;
    assert(client.mailboxes.owns(0), "the reply is there");
  };
  words.store(layout.clientParkedWord, 1);
  assertEquals([reclaimServer(channel, lost!.ownerId), isDropped], [1, true]);
  assertEquals([heir!.tryLockOwned(0), client.headers.status(0)], [false, Status.serverGone]);
  assertEquals(words.load(layout.clientParkedWord), 0, "the client was woken");
  assert(words.notified.includes(layout.clientParkedWord));
});

Deno.test("reclaimClient() wakes everybody, and frees the ports of the dead one only", () => {
  const { channel, words, layout } = meddledChannel(2);
  const [lost, living] = [new ClientSide(channel, "park"), new ClientSide(channel, "park")];
  assert(lost.tryLockOwned(1) && living.tryLockOwned(0));
  for (const index of [0, 1]) {
    words.store(layout.clientParkedWord + index, 1);
    words.store(layout.serverParkedWord + index, 1);
  }
  assertEquals(reclaimClient(channel, lost.ownerId), 1);
  const parked = [layout.clientParkedWord, layout.serverParkedWord].flatMap((word) => [
    words.load(word),
    words.load(word + 1),
  ]);
  assertEquals(parked, [0, 0, 0, 0]);
  assertEquals([living.locks.holds(0), living.locks.holds(1), lost.locks.holds(1)], [
    true,
    false,
    false,
  ]);
});

Deno.test("reclaimServer() leaves a packet alone that the dead server had given back", () => {
  const { channel, words, layout } = meddledChannel();
  const lost = new ServerSide(channel, { waiter: "park", clientTimeoutSeconds: 5 });
  const client = new ClientSide(channel, "park");
  assert(client.tryLockOwned(0));
  client.begin(0, OPCODE, fullMask(1));
  client.giveAway(0);
  assert(lost.tryLockOwned(0));
  lost.giveAway(0);
  assertEquals(reclaimServer(channel, lost.ownerId), 1);
  assertEquals([client.mailboxes.owns(0), client.headers.status(0)], [true, Status.ok]);
  assertEquals(words.load(layout.serverLockWord), 0);
});

Deno.test("reclaimServer() sees the last flips of both sides", () => {
  for (const [clientOutbox, status] of [[1, Status.ok], [0, Status.serverGone]] as const) {
    const { channel, words, layout } = meddledChannel(2);
    const lost = new ServerSide(channel, { waiter: "park", clientTimeoutSeconds: 5 });
    const client = new ClientSide(channel, "park");
    words.storeElsewhere(layout.serverLockWord + 1, lost.ownerId);
    words.storeElsewhere(layout.serverOutboxWord + 1, 1);
    words.storeElsewhere(layout.clientOutboxWord + 1, clientOutbox);
    assertEquals(reclaimServer(channel, lost.ownerId), 1);
    assertEquals([client.headers.status(1), words.load(layout.serverOutboxWord + 1)], [
      status,
      clientOutbox,
    ]);
  }
});

Deno.test("reclaiming goes by the outbox of who died between its turn and its flip", () => {
  const { channel, words, layout } = meddledChannel();
  const client = new ClientSide(channel, "park");
  assert(client.tryLockOwned(0));
  words.plain[layout.clientTurnWord] = 1;
  assertEquals(reclaimClient(channel, client.ownerId), 1);
  const next = new ClientSide(channel, "park");
  assert(next.tryLockOwned(0), "nothing was sent: the port is free");
  next.giveAway(0);
  const server = new ServerSide(channel, { waiter: "park", clientTimeoutSeconds: 5 });
  assert(server.tryLockOwned(0));
  words.plain[layout.serverTurnWord] = 1;
  assertEquals(reclaimServer(channel, server.ownerId), 1);
  assertEquals([next.mailboxes.owns(0), next.headers.status(0)], [true, Status.serverGone]);
});

Deno.test("reclaimServer() leaves calls alone that other servers hold, or that nobody holds yet", () => {
  const channel = Channel.create({ portCount: 3, laneCount: 1 });
  const client = new Client(channel);
  const [lost, other] = [new Server(channel), new Server(channel)];
  for (const server of [lost, other]) server.announce();
  const sent = [0, 1, 2].map(() => client.open(OPCODE).send(skip));
  const held = [lost.tryOpen()!, other.tryOpen()!];
  assertEquals(reclaimServer(channel, lost.id), 1);
  const { words, layout } = channel;
  const answers = [0, 1, 2].map((index) =>
    words.load(layout.serverOutboxWord + index * layout.mailboxStride)
  );
  assertEquals(answers, [0, 1, 2].map((index) => Number(index === held[0]!.index)));
  assertEquals(sent.filter((port) => port.outbox === 1).length, 3);
});

Deno.test("reclaimServer() and reclaimClient() have freed everything when they wake anybody", () => {
  const { channel, words, layout } = meddledChannel(3);
  const lost = new ServerSide(channel, { waiter: "park", clientTimeoutSeconds: 5 });
  const client = new ClientSide(channel, "park");
  for (const index of [1, 2]) {
    assert(client.tryLockOwned(index));
    client.begin(index, OPCODE, fullMask(1));
    client.giveAway(index);
    assert(lost.tryLockOwned(index));
  }
  const seen = new Set<string>();
  words.beforeNotify = () => void seen.add([1, 2].map((index) => lost.locks.holds(index)).join());
  words.beforeStore = (word) => {
    const index = word - layout.serverOutboxWord;
    if (index === 1 || index === 2) assertEquals(client.headers.status(index), Status.serverGone);
  };
  assertEquals(reclaimServer(channel, lost.ownerId), 2);
  words.beforeNotify = () => void seen.add([1, 2].map((index) => client.locks.holds(index)).join());
  assertEquals(reclaimClient(channel, client.ownerId), 2);
  assertEquals([...seen], ["false,false"]);
});

Deno.test("reclaimClient() forgets that the dead client was given up on", async () => {
  const { channel, words } = meddledChannel();
  words.waitAsync = () => Promise.resolve();
  const deaf = new Client(channel);
  deaf.open(OPCODE);
  assertEquals(await evictClient(channel, deaf.id), { hasLeft: false, heldPortCount: 1 });
  assertEquals([channel.leaveRequests.isGivenUp(deaf.id), reclaimClient(channel, deaf.id)], [
    true,
    1,
  ]);
  assertEquals([channel.leaveRequests.hasGivenUp(), channel.leaveRequests.isAsked(deaf.id)], [
    false,
    false,
  ]);
});

Deno.test("reclaiming refuses locks that do not say who holds a port, and names them", () => {
  for (const portLock of DESIGN_AXES.portLock.filter(isAnonymous)) {
    const channel = Channel.create({ portCount: 1, laneCount: 1, portLock });
    const [client, server] = [new Client(channel), new Server(channel)];
    client.open(OPCODE).send(() => {});
    server.tryOpen();
    const text = `as portLock ${portLock} does not say who holds a port`;
    assertThrows(() => reclaimClient(channel, client.id), TypeError, `client 1 ${text}`);
    assertThrows(() => reclaimServer(channel, server.id), TypeError, `server 2 ${text}`);
    assertEquals(channel.state, ChannelState.running);
    buryServer(channel, server.id);
    assertEquals(channel.state, ChannelState.stopped, "nobody can end its calls one by one");
  }
});

Deno.test("buryServer() reclaims the ports of a server where the locks name it", () => {
  const channel = Channel.create({ portCount: 1, laneCount: 1 });
  const [client, dead] = [new Client(channel), new Server(channel)];
  for (const server of [dead, new Server(channel)]) server.announce();
  const sent = client.open(OPCODE).send(() => {});
  dead.tryOpen();
  buryServer(channel, dead.id);
  const { status } = assertThrows(() => sent.recv(() => {}), CallError);
  assertEquals(status, Status.serverGone);
  assertEquals(channel.state, ChannelState.running);
});
