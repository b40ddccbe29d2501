import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { CallError } from "../../call/call_error.ts";
import type { Packet } from "../../memory/packet.ts";
import { Status } from "../../memory/status.ts";
import { Channel } from "../channel.ts";
import { Client } from "../client/client.ts";
import { evictClient, evictServer } from "../evict.ts";
import type { ServerPort } from "./server_port.ts";
import { Server } from "./server.ts";

const OPCODE = 40_000;
const SYNC = 40_001;
function skip(): void {}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

function both(portCount = 4) {
  const channel = Channel.create({ portCount, laneCount: 1 });
  const server = new Server(channel, { clientTimeoutSeconds: 2 });
  return { channel, server, client: new Client(channel) };
}

async function ask(client: Client, value: number, opcode = OPCODE): Promise<number> {
  let answer = -1;
  await client.callAsync(opcode, {
    fill: (packet) => packet.setUint32(0, 0, value),
    use: (packet) => answer = packet.getUint32(0, 0),
  });
  return answer;
}

Deno.test("asynchronous handlers overlap, end in any order, and others are served meanwhile", async () => {
  const { channel, server, client } = both();
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const ended: number[] = [];
  server.operateAsync(OPCODE, async (packet) => {
    const value = packet.getUint32(0, 0);
    await gates[value]!.promise;
    packet.setUint32(0, 0, value + 100);
  });
  server.operate(SYNC, (packet) => packet.setUint32(0, 0, 7));
  const served = server.runAsync();
  const calls = [0, 1].map(async (value) => {
    assertEquals(await ask(client, value), value + 100);
    ended.push(value);
  });
  assertEquals(await ask(client, 0, SYNC), 7, "served while two handlers wait");
  gates[1]!.resolve();
  await calls[1];
  gates[0]!.resolve();
  await calls[0];
  assertEquals(ended, [1, 0]);
  channel.shutDown();
  await served;
});

Deno.test("runAsync() goes on when others are evicted or join, and when services are added", async () => {
  for (const portLock of ["owner", "held"] as const) {
    const channel = Channel.create({ portCount: 4, laneCount: 1, portLock });
    const server = new Server(channel);
    server.operate(SYNC, (packet) => packet.setUint32(0, 0, packet.getUint32(0, 0) + 1));
    let hasEnded = false;
    const served = server.runAsync().then(() => hasEnded = true);
    const [client, idle] = [new Client(channel), new Client(channel)];
    assertEquals(await ask(client, 1, SYNC), 2);
    await evictClient(channel, idle.id, { timeoutSeconds: 0 });
    assertEquals(await ask(client, 2, SYNC), 3);
    assertEquals(await ask(new Client(channel), 3, SYNC), 4);
    server.operateAsync(OPCODE, async (packet) => packet.setUint32(0, 0, await Promise.resolve(9)));
    assertEquals(await ask(client, 0), 9);
    channel.raiseAttention();
    await sleep(10);
    assertEquals([await ask(client, 4, SYNC), hasEnded], [5, false]);
    channel.shutDown();
    await served;
  }
});

Deno.test("messages, values and streams of any length cross on one event loop", async () => {
  for (const isAsync of [false, true]) {
    const { channel, server, client } = both();
    const bytes = (count: number) => new Uint8Array(count).fill(count);
    if (isAsync) {
      server.operateMessageAsync(OPCODE, async (asked) => await bytes(asked[0]!));
      server.operateValueAsync(
        OPCODE + 1,
        async (asked) => await "y".repeat((asked as string).length),
      );
      server.operateStreamAsync(OPCODE + 2, async ([asked]) => await [bytes(asked![0]!)]);
    } else {
      server.operateMessage(OPCODE, (asked) => bytes(asked[0]!));
      server.operateValue(OPCODE + 1, (asked) => "y".repeat((asked as string).length));
      server.operateStream(OPCODE + 2, ([asked]) => [bytes(asked![0]!)]);
    }
    const served = server.runAsync();
    const limit = { timeoutSeconds: 3 };
    // A packet has 64 bytes, of which a message's length takes 8.
    for (const [asked, answered] of [[56, 56], [57, 1], [1, 57], [200, 250]] as const) {
      const request = new Uint8Array(asked).fill(answered);
      assertEquals(await client.callMessageAsync(OPCODE, request, limit), bytes(answered));
      assertEquals(await client.callStreamAsync(OPCODE + 2, [request], limit), [bytes(answered)]);
      const text = await client.callValueAsync(OPCODE + 1, "x".repeat(asked), limit);
      assertEquals(text, "y".repeat(asked));
    }
    channel.shutDown();
    await served;
  }
});

Deno.test("asynchronous handlers hold whole conversations, and their rejection reaches the client", async () => {
  const { channel, server, client } = both();
  server.operatePortAsync(OPCODE, async (port) => {
    let sum = 0;
    const add = (packet: Packet) => sum += packet.getUint32(0, 0);
    const first = await port.recvAsync(add);
    await sleep(1);
    const second = await first.recvAsync(add);
    const give = (packet: Packet) => packet.setUint32(0, 0, sum);
    const sent = await (await second.sendAsync(give)).sendAsync(give);
    await sent.recvAsync(() => {
      throw new RangeError("enough");
    });
  });
  const served = server.runAsync();
  using port = await client.openAsync(OPCODE);
  const put = (packet: Packet) => packet.setUint32(0, 0, 21);
  const seen: number[] = [];
  const use = (packet: Packet) => void seen.push(packet.getUint32(0, 0));
  await (await port.sendAsync(put)).sendAsync(put);
  const mine = await (await (port as typeof port & Given).recvAsync(use)).recvAsync(use);
  const error = await assertRejects(() => mine.send(skip).recvAsync(skip), CallError, "enough");
  assertEquals((error.cause as Error).name, "RangeError");
  assertEquals(seen, [42, 42]);
  port.close();
  channel.shutDown();
  await served;
});
type Given = { readonly holder: never };

Deno.test("a late handler is told, its client gets handlerLate, and what it writes reaches nobody", async () => {
  const { channel, server, client } = both(1);
  const over = Promise.withResolvers<void>();
  let reason: unknown;
  const operate = async (packet: Packet, { signal }: { signal: AbortSignal }) => {
    const kept = packet.uint32;
    signal.addEventListener("abort", () => reason = signal.reason);
    await over.promise;
    packet.setUint32(0, 0, 666);
    kept.fill(666);
  };
  server.operateAsync(OPCODE, operate, { timeoutSeconds: 0.03 });
  server.operate(SYNC, (packet) => packet.setUint32(0, 1, packet.getUint32(0, 0)));
  const served = server.runAsync();
  const error = await assertRejects(() => ask(client, 1), CallError, "within 0.03 s");
  assertEquals([error.status, (reason as Error).name], [Status.handlerLate, "TimeoutError"]);
  using port = await client.openAsync(SYNC);
  const sent = port.send((packet) => packet.setUint32(0, 0, 5));
  over.resolve();
  await sleep(5);
  await sent.recvAsync((packet) => assertEquals([...packet.uint32.subarray(0, 2)], [5, 5]));
  port.close();
  channel.shutDown();
  await served;
});

Deno.test("a late handler loses its port and its packet, also while it waits for its client", async () => {
  const { channel, server, client } = both(1);
  const over = Promise.withResolvers<void>();
  const after: unknown[] = [];
  let kept: Packet | undefined;
  const handler = async (port: ServerPort<"fresh">) => {
    const mine = await port.recvAsync((packet) => kept = packet);
    await mine.send(skip).recvAsync(skip).catch((error) => after.push(error.name));
    await over.promise;
    kept!.setUint32(0, 0, 666);
    assertThrows(() => mine.send(skip));
    after.push("refused");
  };
  server.operatePortAsync(OPCODE, handler, { timeoutSeconds: 0.5 });
  server.operate(SYNC, skip);
  const served = server.runAsync();
  using port = await client.openAsync(OPCODE);
  const mine = await port.send(skip).recvAsync(skip);
  while (after.length === 0) await sleep(1); // its time is over
  const error = await assertRejects(() => mine.send(skip).recvAsync(skip), CallError);
  assertEquals(error.status, Status.outOfStep);
  port.close();
  using next = await client.openAsync(SYNC);
  const sent = next.send((packet) => packet.setUint32(0, 0, 3));
  over.resolve();
  await sleep(5);
  await sent.recvAsync((packet) => assertEquals(packet.getUint32(0, 0), 3));
  next.close();
  assertEquals(after, ["CallAbandonedError", "refused"]);
  channel.shutDown();
  await served;
});

Deno.test("a handler learns that its client left, and a cast is not taken for that", async () => {
  const { channel, server, client } = both();
  const seen: string[] = [];
  const begun = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  server.operateAsync(OPCODE, async (packet, { signal }) => {
    const name = packet.getUint32(0, 0) === 1 ? "call" : "cast";
    begun.resolve();
    if (name === "cast") await left.promise;
    else await new Promise((resolve) => signal.addEventListener("abort", resolve));
    seen.push(`${name} ${signal.aborted}`);
  });
  const served = server.runAsync();
  const leaving = new AbortController();
  const call = client.callAsync(OPCODE, {
    fill: (packet) => packet.setUint32(0, 0, 1),
    use: skip,
  }, leaving);
  client.cast(OPCODE, (packet) => packet.setUint32(0, 0, 2));
  await begun.promise;
  leaving.abort(new Error("enough"));
  await assertRejects(() => call, Error, "enough");
  while (seen.length === 0) await sleep(1);
  left.resolve();
  channel.shutDown();
  await served;
  assertEquals(seen.toSorted(), ["call true", "cast false"]);
});

Deno.test("shutDown() waits for handlers, up to their deadline", async () => {
  const { channel, server, client } = both();
  server.operateAsync(OPCODE, () => sleep(40));
  server.operateAsync(OPCODE + 1, () => new Promise(() => {}), { timeoutSeconds: 0.05 });
  const served = server.runAsync();
  const good = ask(client, 1);
  const late = ask(client, 1, OPCODE + 1).catch((error) => error.status);
  await sleep(5);
  channel.shutDown();
  await served;
  assertEquals([await good, await late], [1, Status.handlerLate]);
});

Deno.test("a server that is asked to leave tells its handlers, and leaves when they are done", async () => {
  const { channel, server, client } = both();
  const aborted = Promise.withResolvers<string>();
  server.operateAsync(OPCODE, async (_packet, { signal }) => {
    signal.addEventListener("abort", () => aborted.resolve(signal.reason.message));
    await aborted.promise;
    await sleep(30);
  });
  const served = server.runAsync();
  const call = ask(client, 9);
  await sleep(5);
  const report = await evictServer(channel, server.id, { timeoutSeconds: 10 });
  assertEquals(report, { hasLeft: true, heldPortCount: 0 });
  await served;
  assertEquals(await call, 9, "answered before it left");
  assertEquals(await aborted.promise, "The server was asked to leave");
});

Deno.test("a stopped channel aborts its handlers, and the server ends", async () => {
  const { channel, server, client } = both();
  server.operateAsync(
    OPCODE,
    (_packet, { signal }) =>
      new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
  );
  const served = server.runAsync();
  const call = ask(client, 1);
  await sleep(5);
  channel.stop();
  const { status } = await assertRejects(() => call, CallError);
  // The handler's own end, where that comes before the client has looked at the channel.
  assert(status === Status.serverGone || status === Status.handlerFailed, String(status));
  await served;
});

Deno.test("a blocking run() refuses asynchronous services", () => {
  const { server } = both();
  server.operateAsync(OPCODE, async () => {});
  assertThrows(() => server.run(), TypeError, "use runAsync()");
  assert(server.hasAsync);
  server.remove(OPCODE);
  assert(!server.hasAsync);
});

Deno.test("asynchronous services are checked when they are registered", () => {
  const { server } = both();
  for (const timeoutSeconds of [NaN, -1]) {
    assertThrows(() => server.operateAsync(OPCODE, async () => {}, { timeoutSeconds }), RangeError);
  }
  assertThrows(() => server.operatePortAsync(OPCODE, undefined as never), TypeError);
  assertThrows(() => server.operatePortAsync(1, async () => {}), RangeError, "reserved");
});

Deno.test("a server that is never without work goes on with its asynchronous handlers", async () => {
  const { channel, server, client } = both();
  let isDone = false;
  server.operateAsync(OPCODE, () => sleep(1));
  server.operate(SYNC, () => {
    if (!isDone) client.cast(SYNC, skip); // the next call is there when this one ends
  });
  client.cast(SYNC, skip);
  const call = ask(client, 1);
  const served = server.runAsync();
  await call;
  isDone = true;
  channel.shutDown();
  await served;
});
