import { assert, assertEquals } from "@std/assert";
import type { Packet } from "../../memory/packet.ts";
import { Status } from "../../memory/status.ts";
import {
  FAILING_LISTENERS,
  LISTENER_REPORTS,
  listenForReports,
} from "../../testing/fixtures/failing_listeners.ts";
import { oneThread } from "../../testing/fixtures/one_thread.ts";
import { statusOf } from "../../testing/fixtures/status_of.ts";
import { Channel } from "../channel.ts";
import { Client } from "../client/client.ts";
import type { FaultReport } from "./dispatch.ts";
import { Server } from "./server.ts";
import { CallAbandonedError } from "./server_side.ts";
import type { Handler } from "./service_table.ts";

const OPCODE = 40_000;
const NESTING = 40_001;
function skip(): void {}

function put(value: number) {
  return (packet: Packet) => packet.setUint32(0, 0, value);
}

/** Two calls that were sent, the first to a service that serves the second while it runs. */
function nested(serve: (server: Server, add: (packet: Packet) => void) => void) {
  const { client, server } = oneThread({ portCount: 2, laneCount: 1 });
  server.operate(OPCODE, (packet) => packet.setUint32(0, 0, packet.getUint32(0, 0) + 1));
  server.operatePort(OPCODE + 2, (port) => void port.recv(skip));
  // From now on the server has objects of earlier calls to use again.
  for (const opcode of [OPCODE, OPCODE + 2]) client.call(opcode, { fill: skip, use: skip });
  serve(server, (packet) => {
    assert(server.runOnce(), "there is another call");
    packet.setUint32(0, 0, packet.getUint32(0, 0) + 100);
  });
  // The outer call goes to the port that is served first.
  const isFirst = server.nextIndex === 0;
  const opened = client.open(isFirst ? NESTING : OPCODE);
  const other = client.open(isFirst ? OPCODE : NESTING);
  assertEquals([opened.index, other.index], [0, 1]);
  const [outer, inner] = isFirst
    ? [opened.send(put(5)), other.send(put(7))]
    : [other.send(put(5)), opened.send(put(7))];
  assert(server.runOnce());
  return [outer, inner].map((port) => {
    let answer = 0;
    port.recv((packet) => answer = packet.getUint32(0, 0)).close();
    return answer;
  });
}

Deno.test("a function on a packet may serve other calls meanwhile", () => {
  assertEquals(nested((server, add) => server.operate(NESTING, add)), [105, 8]);
});

Deno.test("a handler may serve other calls meanwhile, with handlers, too", () => {
  const answers = nested((server, add) => {
    server.operatePort(OPCODE, (port) => void port.recvAndSend(put(8)));
    server.operatePort(NESTING, (port) => void port.recv(skip).send(add));
  });
  assertEquals(answers, [105, 8]);
});

Deno.test("what onFault throws is reported, at once or later, and the call is answered", async () => {
  const channel = Channel.create({ portCount: 1, laneCount: 1 });
  const reports = listenForReports();
  for (const onFault of FAILING_LISTENERS) {
    const sent = new Client(channel).open(OPCODE).send(skip);
    assert(new Server(channel, { onFault }).runOnce());
    assertEquals(statusOf(() => void sent.recv(skip)), Status.unhandledOpcode);
    sent.close();
  }
  assertEquals(await reports(), LISTENER_REPORTS);
});

Deno.test("the report of a fault names the opcode of its own call, whoever takes the port next", () => {
  const channel = Channel.create({ portCount: 1, laneCount: 1 });
  const faults: FaultReport[] = [];
  const server = new Server(channel, { onFault: (fault) => faults.push(fault) });
  const client = new Client(channel);
  // The client that is woken by the reply begins its next call before the server goes on.
  const { words } = channel;
  const exchange = words.exchange.bind(words);
  const sent = client.open(41_000).send(skip);
  words.exchange = (word, value) => {
    const held = exchange(word, value);
    if (word !== channel.layout.serverLockWord) return held;
    words.exchange = exchange;
    assertEquals(statusOf(() => void sent.recv(skip)), Status.unhandledOpcode);
    sent.close();
    client.open(42_000);
    return held;
  };
  assert(server.runOnce());
  assertEquals(faults.map(({ opcode }) => opcode), [41_000]);
});

Deno.test("each way to refuse a call tells its client, and the host where and what", () => {
  const { client, server, faults } = oneThread({ portCount: 2, laneCount: 2 });
  const cause = new Error("no");
  server.operatePort(OPCODE, () => {
    throw cause;
  });
  const first = client.open(OPCODE);
  assertEquals(statusOf(() => client.call(OPCODE, { fill: skip, use: skip })), 2);
  assertEquals(statusOf(() => client.call(41_000, { fill: skip, use: skip })), 1);
  assertEquals(faults, [
    { status: Status.handlerFailed, opcode: OPCODE, portIndex: 1 - first.index, cause },
    { status: Status.unhandledOpcode, opcode: 41_000, portIndex: 1 - first.index },
  ]);
});

Deno.test("what a handler throws after its answer was sent and its port closed is reported", () => {
  const { client, server, faults } = oneThread({ portCount: 1, laneCount: 1 });
  const cause = new Error("after the end");
  server.operatePort(OPCODE, (port) => {
    port.recvAndSend(put(8)).close();
    throw cause;
  });
  let answer = 0;
  client.call(OPCODE, { fill: skip, use: (packet) => answer = packet.getUint32(0, 0) });
  assertEquals(answer, 8);
  const fault = { status: Status.handlerFailed, opcode: OPCODE, portIndex: 0, cause };
  assertEquals(faults, [fault]);
});

Deno.test("a handler that gives up as the client of another port has left has failed", () => {
  const { client, server, faults } = oneThread({ portCount: 2, laneCount: 1 });
  server.operatePort(OPCODE, (port) => {
    port.recv(skip);
    throw new CallAbandonedError("The client of another call left");
  });
  const call = () => client.call(OPCODE, { fill: skip, use: skip });
  assertEquals([statusOf(call), faults.length], [Status.handlerFailed, 1]);
});

Deno.test("a port object that an asynchronous handler may have kept serves no other call", () => {
  const { client, server } = oneThread({ portCount: 1, laneCount: 1 });
  const ports: unknown[] = [];
  const asynchronous = (port: unknown) => Promise.resolve(ports.push(port));
  server.operatePort(OPCODE, asynchronous as unknown as Handler);
  server.operatePort(NESTING, (port) => void ports.push(port.recv(skip)));
  const statuses = [NESTING, OPCODE, NESTING, NESTING].map((opcode) =>
    statusOf(() => client.call(opcode, { fill: skip, use: skip }))
  );
  assertEquals(statuses, [Status.ok, Status.handlerFailed, Status.ok, Status.ok]);
  assertEquals(ports.map((port) => ports.indexOf(port)), [0, 0, 2, 2]);
});

Deno.test("a call that goes on behind its handler is out of step, and the next call is not", () => {
  const { client, server, faults } = oneThread({ portCount: 1, laneCount: 1 });
  server.operatePort(OPCODE, (port) => void port.recvAndSend(put(1)));
  const mine = client.open(OPCODE).send(skip).recv(skip);
  assertEquals(statusOf(() => void mine.send(skip).recv(skip)), Status.outOfStep);
  mine.close();
  client.call(OPCODE, { fill: skip, use: skip });
  assertEquals(faults.map(({ status, opcode }) => [status, opcode]), [[Status.outOfStep, OPCODE]]);
});

Deno.test("a client that was late is told so once, and its port serves the next call", () => {
  const channel = Channel.create({ portCount: 1, laneCount: 1 });
  const server = new Server(channel, { clientTimeoutSeconds: 0 });
  server.operatePort(OPCODE, (port) => void port.recvAndSend(skip).recv(skip));
  server.operatePort(NESTING, (port) => void port.recvAndSend(skip));
  const client = new Client(channel, {
    waiter: { wait: () => void server.runOnce(), waitAsync: () => Promise.resolve() },
  });
  const mine = client.open(OPCODE).send(skip).recv(skip);
  assertEquals(statusOf(() => void mine.send(skip).recv(skip)), Status.clientLate);
  mine.close();
  const next = client.open(NESTING).send(skip).recv(skip);
  assertEquals(statusOf(() => void next.send(skip).recv(skip)), Status.outOfStep);
  next.close();
  // Of a client that never comes back nobody is told in the next call.
  client.open(OPCODE).send(skip).recv(skip).close();
  const other = client.open(NESTING).send(skip).recv(skip);
  assertEquals(statusOf(() => void other.send(skip).recv(skip)), Status.outOfStep);
  other.close();
});

Deno.test("one packet object serves a client's calls, and one a server's, as long as nobody has kept it", () => {
  const { client, server } = oneThread({ portCount: 1, laneCount: 1 });
  const [sent, used, served] = [new Set(), new Set(), new Set()];
  server.operate(OPCODE, (packet) => void served.add(packet));
  for (let call = 0; call < 3; call++) {
    client.call(OPCODE, {
      fill: (packet) => void sent.add(packet),
      use: (packet) => void used.add(packet),
    });
  }
  assertEquals([sent.size, used.size, served.size, sent.union(used).size], [1, 1, 1, 1]);
});
