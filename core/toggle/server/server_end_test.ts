/** How asynchronous calls end whose client or whose time has gone. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { CallError } from "../../call/call_error.ts";
import { Status } from "../../memory/status.ts";
import { ChannelState, ControlWord } from "../layout.ts";
import { Channel } from "../channel.ts";
import { Client } from "../client/client.ts";
import { Server } from "./server.ts";

const OPCODE = 40_000;
const SYNC = 40_001;
const LONG = 40_002;
const WORK = { fill: skip, use: skip };
function skip(): void {}

function both(portCount = 1) {
  const channel = Channel.create({ portCount, laneCount: 1 });
  const server = new Server(channel, { clientTimeoutSeconds: 2 });
  return { channel, server, client: new Client(channel) };
}

Deno.test("a late handler that waits once more is refused, and the program lives", async () => {
  for (let turns = 0; turns < 8; turns++) {
    const { channel, server, client } = both();
    const ended = Promise.withResolvers<void>();
    server.operatePortAsync(OPCODE, async (port, { signal }) => {
      await port.recvAsync(skip);
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      for (let turn = 0; turn < turns; turn++) await Promise.resolve();
      await assertRejects(() => port.recvAsync(skip), Error);
      ended.resolve();
    }, { timeoutSeconds: 0.01 });
    const served = server.runAsync();
    // Whether the packet goes back before or after the time is over, it goes back once.
    const status = await client.callAsync(OPCODE, WORK).then(
      () => Status.ok,
      ({ status }) => status,
    );
    assert(status === Status.noReply || status === Status.handlerLate, `status ${status}`);
    await ended.promise;
    channel.shutDown();
    await served;
  }
});

Deno.test("a call on a port whose handler lost its client is served when that handler ends", async () => {
  const { channel, server, client } = both();
  const gate = Promise.withResolvers<void>();
  server.operate(SYNC, skip);
  server.operatePortAsync(OPCODE, async (port) => {
    await (await port.recvAsync(skip)).sendAsync(skip);
    await assertRejects(() => port.recvAsync(skip), Error, "left the call");
    await gate.promise;
  });
  const served = server.runAsync();
  await client.callAsync(OPCODE, WORK);
  const next = client.callAsync(SYNC, WORK, { timeoutSeconds: 5 });
  await new Promise((resolve) => setTimeout(resolve, 50)); // the server has looked, found the port its own, and sleeps
  gate.resolve();
  await next;
  channel.shutDown();
  await served;
});

Deno.test("a stopping server serves a call that its own handler waits for", async () => {
  const channel = Channel.create({ portCount: 2, laneCount: 1 });
  const server = new Server(channel);
  const client = new Client(channel);
  server.operate(SYNC, skip);
  server.operateAsync(OPCODE, async () => {
    using port = client.open(SYNC);
    channel.shutDown();
    await new Promise((resolve) => setTimeout(resolve)); // the server has begun to wait for us
    await port.send(skip).recvAsync(skip);
  }, { timeoutSeconds: 20 });
  const served = server.runAsync();
  await client.callAsync(OPCODE, WORK); // a handler that is stuck ends with status handlerLate
  await served;
});

Deno.test("a server that ends still sends a whole error for a call that came before", async () => {
  const { channel, server, client } = both(2);
  const [started, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  server.operateAsync(OPCODE, async () => {
    started.resolve();
    await gate.promise;
  });
  const message = "a long way down ".repeat(50);
  server.operate(SYNC, () => {
    throw new RangeError(message);
  });
  const served = server.runAsync();
  const held = client.callAsync(OPCODE, WORK);
  await started.promise;
  using port = client.open(SYNC);
  const sent = port.send(skip);
  channel.shutDown();
  await assertRejects(() => sent.recvAsync(skip), CallError, message);
  gate.resolve();
  await held;
  await served;
});

Deno.test("a client that ends its channel and sends on and on leaves the event loop its turns", async () => {
  const { channel, server, client } = both(2);
  const stateWord = channel.layout.controlWord + ControlWord.state;
  const sendInTheEnd = () => {
    channel.words.store(stateWord, ChannelState.running); // a client of this library would send no more
    client.cast(SYNC, skip);
    channel.words.store(stateWord, ChannelState.stopping);
  };
  let goesOn = true;
  server.operate(SYNC, () => goesOn ? sendInTheEnd() : undefined);
  const served = server.runAsync();
  sendInTheEnd();
  setTimeout(() => goesOn = false, 0);
  await served;
});

Deno.test("a stopped channel aborts also a handler whose client waits for nothing", async () => {
  const { channel, server, client } = both();
  const begun = Promise.withResolvers<void>();
  const aborted = Promise.withResolvers<string>();
  server.operateAsync(OPCODE, async (_packet, { signal }) => {
    signal.addEventListener("abort", () => aborted.resolve(signal.reason.message));
    begun.resolve();
    await aborted.promise;
  });
  const served = server.runAsync();
  client.cast(OPCODE, skip);
  await begun.promise;
  channel.stop();
  assertEquals(await aborted.promise, "The channel was stopped");
  await served;
});

Deno.test("a call on a port whose handler lost its client is served while other handlers run", async () => {
  const channel = Channel.create({ portCount: 2, laneCount: 1, start: "first" });
  const server = new Server(channel);
  const [client, other] = [new Client(channel), new Client(channel)];
  const [gate, long] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  server.operate(SYNC, skip);
  server.operatePortAsync(OPCODE, async (port) => {
    await (await port.recvAsync(skip)).sendAsync(skip);
    await assertRejects(() => port.recvAsync(skip), Error, "left the call");
    await gate.promise;
  });
  server.operateAsync(LONG, () => long.promise, { timeoutSeconds: 20 });
  const served = server.runAsync();
  await client.callAsync(OPCODE, WORK); // on port 0, whose handler goes on
  const port = await client.openAsync(SYNC, { timeoutSeconds: 3 }); // port 0 again
  const longCall = other.callAsync(LONG, WORK);
  const next = port.send(skip).recvAsync(skip, { timeoutSeconds: 3 });
  await new Promise((resolve) => setTimeout(resolve, 50)); // the server has looked, and sleeps
  gate.resolve();
  try {
    await next;
    port.close();
  } finally {
    long.resolve();
    await longCall;
    channel.shutDown();
    await served;
  }
});
