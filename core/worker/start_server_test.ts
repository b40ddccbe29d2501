import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import type { FaultReport } from "../toggle/server/dispatch.ts";
import { CallError } from "../call/call_error.ts";
import {
  FAILING_LISTENERS,
  LISTENER_REPORTS,
  listenForReports,
} from "../testing/fixtures/failing_listeners.ts";
import { Channel } from "../toggle/channel.ts";
import { ChannelState } from "../toggle/layout.ts";
import { Client } from "../toggle/client/client.ts";
import { Status } from "../memory/status.ts";
import { TestOpcode } from "../testing/conformance/services.ts";
import { startServer } from "./start_server.ts";

const SERVICES = new URL("../testing/conformance/services.ts", import.meta.url);
const SHAPE = { portCount: 4, laneCount: 1 };
function skip(): void {}

Deno.test("ServerHandle.addServices() adds services while a client calls", async () => {
  const channel = Channel.create(SHAPE);
  const server = await startServer(channel);
  const client = new Client(channel);
  assertThrows(() => client.call(TestOpcode.increment, { fill: skip, use: skip }), CallError);
  await server.addServices(SERVICES);
  for (let call = 0; call < 100; call++) {
    client.call(TestOpcode.increment, { fill: skip, use: skip });
  }
  channel.shutDown();
  await server.done;
});

Deno.test("startServer() and register() report a module that does not load or register", async () => {
  const channel = Channel.create(SHAPE);
  const missing = new URL("./missing.ts", import.meta.url);
  const wrong = new URL("../memory/opcode.ts", import.meta.url);
  await assertRejects(() => startServer(channel, { services: [missing] }), Error, "missing.ts");
  const other = Channel.create(SHAPE);
  const server = await startServer(other);
  await assertRejects(() => server.addServices(missing), Error, "missing.ts");
  await assertRejects(() => server.addServices(wrong), Error, "must export addServices(server)");
  new Client(other).call(0, { fill: skip, use: skip });
  await server.terminate();
  await server.done;
});

Deno.test("ServerHandle.terminate() settles what was asked, and takes no more", async () => {
  const server = await startServer(Channel.create(SHAPE));
  const asked = Promise.allSettled([server.addServices(SERVICES)]);
  assertEquals(await server.terminate(), { hasLeft: true, heldPortCount: 0 });
  await asked;
  await assertRejects(() => server.addServices(SERVICES), Error, "has left");
  await server.done;
});

Deno.test("startServer() refuses a channel that was shut down, and a module that never loads", async () => {
  const ended = Channel.create(SHAPE);
  ended.shutDown();
  await assertRejects(() => startServer(ended), TypeError, "was shut down");
  const hangs = "data:text/javascript,await new Promise(() => setInterval(() => {}, 1000))";
  const options = { services: [hangs], startTimeoutSeconds: 0.3 };
  await assertRejects(
    () => startServer(Channel.create(SHAPE), options),
    Error,
    "longer than 0.3 s",
  );
});

Deno.test("startServer() survives a listener that throws, and frees what a crashed worker held", async () => {
  const channel = Channel.create(SHAPE);
  const crashing = "data:text/javascript," + encodeURIComponent(
    "export const addServices = (server) => server.operate(40_000, () => setTimeout(() => { throw new Error('crash') }))",
  );
  let toldCount = 0;
  const reports = listenForReports();
  const server = await startServer(channel, {
    services: [crashing],
    onFault: () => FAILING_LISTENERS[toldCount++ % 2]!(),
  });
  const client = new Client(channel);
  for (let count = 0; count < 2; count++) {
    assertThrows(() => client.call(40_001, { fill: skip, use: skip }), CallError);
  }
  client.call(40_000, { fill: skip, use: skip });
  channel.raiseAttention();
  await assertRejects(() => server.done, Error, "crash");
  assertThrows(() => client.call(40_000, { fill: skip, use: skip }), CallError, "shut down");
  assertEquals(toldCount, 2);
  assertEquals(await reports(), LISTENER_REPORTS);
});

Deno.test("await using ends a server with its block", async () => {
  const channel = Channel.create(SHAPE);
  {
    await using server = await startServer(channel);
    new Client(channel).call(0, { fill: skip, use: skip });
    assertEquals(server.serverId > 0, true);
  }
  assertEquals(channel.state, ChannelState.stopped);
});

Deno.test("startServer() reports each fault to its parent", async () => {
  const channel = Channel.create(SHAPE);
  const faults: FaultReport[] = [];
  const server = await startServer(channel, { onFault: (fault) => faults.push(fault) });
  const client = new Client(channel);
  assertThrows(() => client.call(40_999, { fill: skip, use: skip }), CallError);
  channel.shutDown();
  await server.done;
  assertEquals(faults.map(({ status, opcode }) => [status, opcode]), [[
    Status.unhandledOpcode,
    40_999,
  ]]);
});

Deno.test("Channel.shutDown() lets the server finish what was sent before", async () => {
  const channel = Channel.create({ portCount: 64, laneCount: 1 });
  const server = await startServer(channel, { services: [SERVICES], waiter: "park" });
  const client = new Client(channel);
  const sent = Array.from({ length: 64 }, () => client.open(TestOpcode.increment).send(skip));
  channel.shutDown();
  await server.done;
  for (const port of sent) port.recv(skip).close();
});

Deno.test("a server worker runs asynchronous handlers, registered before it serves or later", async () => {
  const asynchronous = (opcode: number) =>
    "data:text/javascript," + encodeURIComponent(`
      export const addServices = (server) => server.operateAsync(${opcode}, async (packet) => {
        await new Promise((resolve) => setTimeout(resolve, packet.getUint32(0, 0)));
        packet.setUint32(0, 0, packet.getUint32(0, 0) + 1);
      }, { timeoutSeconds: 0.5 });`);
  const channel = Channel.create(SHAPE);
  const server = await startServer(channel, { services: [SERVICES, asynchronous(41_000)] });
  const client = new Client(channel);
  const ask = (opcode: number, value: number) => {
    let answer = 0;
    client.call(opcode, {
      fill: (packet) => packet.setUint32(0, 0, value),
      use: (packet) => answer = packet.getUint32(0, 0),
    }, { timeoutSeconds: 10 });
    return answer;
  };
  assertEquals([ask(41_000, 20), ask(TestOpcode.increment, 1)], [21, 2]);
  const blocking = Channel.create(SHAPE);
  const other = await startServer(blocking, { services: [SERVICES] });
  await other.addServices(asynchronous(41_001));
  const late = new Client(blocking).callAsync(41_001, {
    fill: (packet) => packet.setUint32(0, 0, 10_000),
    use: skip,
  });
  const error = await assertRejects(() => late, CallError, "within 0.5 s");
  assertEquals(error.status, Status.handlerLate);
  channel.shutDown();
  blocking.shutDown();
  await Promise.all([server.done, other.done]);
});

Deno.test("an async service set by a handler of a blocking server is served from then on", async () => {
  const nested = "data:text/javascript," + encodeURIComponent(`
    export const addServices = (server) => server.operate(41_000, () =>
      server.operateAsync(41_001, async (packet) => {
        await new Promise((resolve) => setTimeout(resolve, 1));
        packet.setUint32(0, 0, 5);
      }));`);
  const channel = Channel.create(SHAPE);
  await using server = await startServer(channel, { services: [nested] });
  const client = new Client(channel);
  client.call(41_000, { fill: skip, use: skip });
  let answer = 0;
  const use = (packet: { getUint32(lane: number, word: number): number }) =>
    answer = packet.getUint32(0, 0);
  client.call(41_001, { fill: skip, use }, { timeoutSeconds: 5 });
  assertEquals([answer, server.serverId > 0], [5, true]);
});

Deno.test("startServer() takes any time that is one, and URLs that are absolute only", async () => {
  const channel = Channel.create(SHAPE);
  {
    await using server = await startServer(channel, { startTimeoutSeconds: Infinity });
    await assertRejects(() => server.addServices("./services.ts"), TypeError, "must be absolute");
  }
  const other = Channel.create(SHAPE);
  for (const startTimeoutSeconds of [NaN, -1]) {
    await assertRejects(() => startServer(other, { startTimeoutSeconds }), RangeError);
  }
  const services = ["./services.ts"];
  await assertRejects(() => startServer(other, { services }), TypeError, "must be absolute");
});

Deno.test("ServerHandle.addServices() waits for a slow module before its server serves on", async () => {
  // Served on instead, each of the turns would take an attention of its own.
  const slow = "data:text/javascript," + encodeURIComponent(`
    export async function addServices(server) {
      const { run } = server;
      let serveCount = 0;
      server.run = () => (serveCount++, run.call(server));
      for (let turn = 0; turn < 10; turn++) await new Promise((next) => setTimeout(next, 0));
      server.run = run;
      if (serveCount > 0) throw new Error(serveCount + " times");
    }`);
  await using server = await startServer(Channel.create(SHAPE));
  await server.addServices(slow);
});
