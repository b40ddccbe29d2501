/** How servers in workers end: asked, late, failed, crashed. */
import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { CallError } from "../call/call_error.ts";
import { Channel } from "../toggle/channel.ts";
import { ChannelState } from "../toggle/layout.ts";
import { Client } from "../toggle/client/client.ts";
import { startServer } from "./start_server.ts";

const SHAPE = { portCount: 4, laneCount: 1 };
function skip(): void {}
/** Writes 1 into the first word of the packet and returns when it is another. */
const SLOW = "data:text/javascript," + encodeURIComponent(`
  export const addServices = (server) => server.operate(40_000, (packet) => {
    const word = new Int32Array(packet.uint32.buffer, packet.uint32.byteOffset);
    Atomics.store(word, 0, 1);
    Atomics.notify(word, 0);
    while (Atomics.load(word, 0) === 1);
  });`);

Deno.test("ServerHandle.terminate() says the same to all who ask, while the server hangs and later", async () => {
  const channel = Channel.create(SHAPE);
  const server = await startServer(channel, { services: [SLOW] });
  await assertRejects(() => server.terminate({ timeoutSeconds: NaN }), RangeError);
  const client = new Client(channel);
  using sent = client.open(40_000).send((packet) => packet.setUint32(0, 0, 0));
  const word = channel.layout.packetsWord + sent.index * channel.layout.packetWords;
  channel.words.wait(word, 0, 10_000);
  await using _other = await startServer(channel); // now, so that it cannot take the call
  const stays = { hasLeft: false, heldPortCount: 1 };
  const soon = { timeoutSeconds: 0.05 };
  const reports = await Promise.all([server.terminate(soon), server.terminate(soon)]);
  assertEquals([...reports, await server.terminate(soon)], [stays, stays, stays]);
  assertThrows(() => sent.recv(skip), CallError);
  channel.words.store(word, 2); // the end of the handler, whose answer comes too late
});

Deno.test("ServerHandle.terminate() rejects while a server hangs of which nobody knows what it holds", async () => {
  const channel = Channel.create({ ...SHAPE, portLock: "exchange" });
  const server = await startServer(channel, { services: [SLOW] });
  using sent = new Client(channel).open(40_000).send((packet) => packet.setUint32(0, 0, 0));
  const word = channel.layout.packetsWord + sent.index * channel.layout.packetWords;
  channel.words.wait(word, 0, 10_000);
  await using _other = await startServer(channel); // as above
  const asked = server.terminate({ timeoutSeconds: 0.01 });
  await assertRejects(() => asked, TypeError, "portLock exchange does not say who holds a port");
  await server.done;
  channel.words.store(word, 2);
  sent.recv(skip);
});

Deno.test("a worker whose start took too long is ended", async () => {
  const channel = Channel.create(SHAPE);
  const busy = "data:text/javascript," + encodeURIComponent(`
    export const addServices = (server) => {
      setInterval(() => server.runAll(), 1);
      return new Promise(() => {});
    };`);
  const options = { services: [busy], startTimeoutSeconds: 0.5 };
  await assertRejects(() => startServer(channel, options), Error, "longer than 0.5 s");
  const client = new Client(channel);
  const isServed = async () => {
    const call = client.callAsync(0, { fill: skip, use: skip }, { timeoutSeconds: 0.1 });
    return await call.then(() => true, () => false);
  };
  for (let look = 0; await isServed(); look++) {
    assertEquals(look < 500, true, "it still serves");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
});

Deno.test("a server that starts too late is not waited for by a shutdown", async () => {
  const channel = Channel.create(SHAPE);
  const slow = "data:text/javascript," + encodeURIComponent(`
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
    export const addServices = () => {};`);
  const options = { services: [slow], startTimeoutSeconds: 0.1 };
  await assertRejects(() => startServer(channel, options), Error, "longer than 0.1 s");
  await new Promise((resolve) => setTimeout(resolve, 300)); // until it would say that it serves
  channel.shutDown();
  assertEquals(channel.state, ChannelState.stopped);
});

Deno.test("a server that crashes while it is asked to leave keeps no port", async () => {
  const channel = Channel.create({ portCount: 1, laneCount: 1 });
  const crashing = "data:text/javascript," + encodeURIComponent(`
    export const addServices = (server) => server.operatePortAsync(40_000, (_port, { signal }) =>
      new Promise(() => {
        signal.onabort = () => setTimeout(() => { throw new Error("boom"); });
      }));`);
  const server = await startServer(channel, { services: [crashing] });
  const client = new Client(channel);
  const waiting = assertRejects(
    () => client.callAsync(40_000, { fill: skip, use: skip }),
    CallError,
  );
  const held = () => channel.words.load(channel.layout.serverLockWord) === server.serverId;
  while (!held()) await new Promise((resolve) => setTimeout(resolve, 1));
  await using _other = await startServer(channel);
  assertEquals(await server.terminate(), { hasLeft: true, heldPortCount: 0 });
  await waiting;
  await assertRejects(() => server.done, Error, "boom");
  client.call(0, { fill: skip, use: skip }, { timeoutSeconds: 10 });
});
