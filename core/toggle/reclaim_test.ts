import { assertEquals, assertThrows } from "@std/assert";
import { CallError } from "../call/call_error.ts";
import { Channel } from "./channel.ts";
import { ChannelState } from "./layout.ts";
import { Client } from "./client/client.ts";
import { evictServer } from "./evict.ts";
import { reclaimClient, reclaimServer } from "./reclaim.ts";
import { Server } from "./server/server.ts";
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
  assertEquals(server.serveAll(), 1);
  const others = Array.from({ length: 3 }, () => living.tryOpen(OPCODE));
  assertEquals(others.map((port) => port === undefined), [false, false, false]);
  assertEquals(living.tryOpen(OPCODE), undefined);
  kept.close();
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
  assertEquals(heir.serveOnce(), true);
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
  assertEquals(heir.serveOnce(), true);
  again.recv(skip).close();
});
