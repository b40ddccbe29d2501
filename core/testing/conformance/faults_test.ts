/** Bad news: what each side learns when the other refuses, fails, leaves or dies. */
import { assert, assertEquals, assertThrows } from "@std/assert";
import { CallError } from "../../call/call_error.ts";
import { Channel } from "../../toggle/channel.ts";
import { Client } from "../../toggle/client/client.ts";
import { Server } from "../../toggle/server/server.ts";
import { laneMask, lanesOf } from "../../memory/lane_mask.ts";
import { Status } from "../../memory/status.ts";
import { oneThread } from "../fixtures/one_thread.ts";
import { addServices, increment, TestOpcode } from "./services.ts";
import { statusOf } from "../fixtures/status_of.ts";

const INCREMENT = TestOpcode.increment;

Deno.test("A handler that throws reaches the caller with its message, and the server lives", () => {
  const { client, server, faults } = oneThread({ portCount: 1, laneCount: 4 });
  addServices(server);
  const call = () => client.call(TestOpcode.fails, { fill: () => {}, use: () => {} });
  const error = assertThrows(call, CallError, "lane 1 is odd");
  assertEquals(error.status, Status.handlerFailed);
  assertEquals(faults.map(({ status, opcode }) => [status, opcode]), [[
    Status.handlerFailed,
    TestOpcode.fails,
  ]]);
  client.call(TestOpcode.fails, { fill: () => {}, use: () => {} }, { mask: laneMask(0, 2) });
});

Deno.test("A client that does not go on in time is given up, and told so when it does", () => {
  const channel = Channel.create({ portCount: 1, laneCount: 1 });
  const faults: Status[] = [];
  // No time at all: the first look at the client, which has not gone on, is one too late.
  const server = new Server(channel, {
    clientTimeoutSeconds: 0,
    onFault: ({ status }) => faults.push(status),
  });
  server.operatePort(INCREMENT, (port) => void port.recv(() => {}).send(() => {}).recv(() => {}));
  const port = new Client(channel).open(INCREMENT).send(() => {});
  assert(server.runOnce());
  assertEquals(faults, [Status.clientLate]);
  const sent = port.recv(() => {}).send(() => {});
  assert(server.runOnce());
  assertEquals(statusOf(() => sent.recv(() => {})), Status.clientLate);
  port.close();
});

Deno.test("Garbage in a header is refused, and the server lives", () => {
  const { channel, client, server, faults } = oneThread({ portCount: 1, laneCount: 4 });
  server.operate(INCREMENT, increment);
  const { headersWord } = channel.layout;
  const { plain } = channel.words;
  const garbage = [[0, 0, INCREMENT], [0x10, 0, INCREMENT], [1, 1, INCREMENT], [1, 0, 0x7fffffff], [
    1,
    0,
    70_000,
  ]];
  for (const words of garbage) {
    const port = client.open(INCREMENT);
    words.forEach((word, offset) => plain[headersWord + offset] = word);
    assert(statusOf(() => port.sendAndRecv({ fill: () => {}, use: () => {} })) !== Status.ok);
    port.close();
  }
  assertEquals(faults.map(({ status }) => status), [4, 4, 4, 1, 1]);
  assertEquals(lanesOf(laneMask(0)), [0]);
  client.call(INCREMENT, { fill: () => {}, use: () => {} });
});

Deno.test("A client that was given up is told so by whichever server finds its packet, once", () => {
  const channel = Channel.create({ portCount: 1, laneCount: 1 });
  const [hasty, other] = [0, 60].map((clientTimeoutSeconds) => {
    const server = new Server(channel, { clientTimeoutSeconds });
    server.operatePort(INCREMENT, (port) => void port.recv(() => {}).send(() => {}).recv(() => {}));
    return server;
  });
  const client = new Client(channel);
  const port = client.open(INCREMENT).send(() => {});
  assert(hasty!.runOnce());
  const sent = port.recv(() => {}).send(() => {});
  assert(other!.runOnce());
  assertEquals(statusOf(() => sent.recv(() => {})), Status.clientLate);
  port.close();
  // One that was given up leaves; the next call's handler ends, and its client goes on.
  const left = client.open(INCREMENT).send(() => {});
  assert(hasty!.runOnce());
  left.recv(() => {}).close();
  const next = client.open(INCREMENT).send(() => {});
  other!.tryOpen()!.recv(() => {}).send(() => {}).close();
  const again = next.recv(() => {}).send(() => {});
  assert(hasty!.runOnce());
  assertEquals(statusOf(() => again.recv(() => {})), Status.outOfStep);
  next.close();
});
