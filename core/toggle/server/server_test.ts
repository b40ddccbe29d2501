import { assert, assertEquals, assertThrows } from "@std/assert";
import { CallError } from "../../call/call_error.ts";
import { Channel } from "../channel.ts";
import { Client } from "../client/client.ts";
import type { ClientPort } from "../client/client_port.ts";
import { meddledChannel } from "../../testing/fixtures/meddled_words.ts";
import { ChannelState, ControlWord } from "../layout.ts";
import { Server, type ServerOptions } from "./server.ts";
import { oneThread } from "../../testing/fixtures/one_thread.ts";
import { increment } from "../../testing/conformance/services.ts";
import type { Packet } from "../../memory/packet.ts";
import type { PortWaiter } from "../../wait/inbox_waiter.ts";
import type { Handler } from "./service_table.ts";
import { Status } from "../../memory/status.ts";

const OPCODE = 40_000;
function skip(): void {}

function callAndRead(client: ReturnType<typeof oneThread>["client"], opcode = OPCODE): number {
  let reply = -1;
  client.call(opcode, {
    fill: (packet: Packet) => packet.setUint32(0, 0, 1),
    use: (packet: Packet) => reply = packet.getUint32(0, 0),
  });
  return reply;
}

Deno.test("Server answers a handler that returns a promise with a refusal", () => {
  const { client, server } = oneThread({ portCount: 1, laneCount: 16 });
  const handler = () => Promise.resolve();
  server.operatePort(OPCODE, handler as unknown as Handler);
  assertThrows(() => callAndRead(client), CallError, "synchronous");
});

Deno.test("Server.runAll() serves every port that has a call, hinted or not, once", () => {
  const { channel, client, server } = oneThread({ portCount: 40, laneCount: 1 });
  server.operate(OPCODE, increment);
  const sent = Array.from({ length: 30 }, () => client.open(OPCODE).send(skip));
  channel.words.store(channel.layout.hintWord, 0);
  channel.words.store(channel.layout.hintWord + 1, 0);
  assertEquals([server.runOnce(), server.runAll(), server.runAll()], [false, 30, 0]);
  assert(sent.every((port) => port.query()));
});

Deno.test("Server finds a call whose hint was lost, in its next full scan", () => {
  const { channel, client, server } = oneThread({ portCount: 4, laneCount: 1 });
  server.operate(OPCODE, increment);
  const sent = client.open(OPCODE).send(skip);
  channel.words.store(channel.layout.hintWord, 0);
  let searches = 0;
  while (!server.runOnce() && searches < 100_000) searches++;
  assert(sent.query(), `not found in ${searches} searches`);
});

Deno.test("Server tells the host of each fault, and goes on", () => {
  const { client, server, faults } = oneThread({ portCount: 1, laneCount: 1 });
  const cause = new Error("disk on fire");
  server.operatePort(OPCODE, (port) => {
    port.recv(() => {
      throw cause;
    });
  });
  assertThrows(() => callAndRead(client), CallError, "disk on fire");
  assertEquals(faults, [{ status: Status.handlerFailed, opcode: OPCODE, portIndex: 0, cause }]);
  assertEquals(callAndRead(client, 0), 1);
});

Deno.test("Server that is served by hand cuts an error to the packet, at a whole character", () => {
  const { client, server, faults } = oneThread({ portCount: 1, laneCount: 1 });
  server.operate(OPCODE, () => {
    throw new Error("ä".repeat(100));
  });
  const error = assertThrows(() => callAndRead(client), CallError);
  assert(error.message.endsWith(": " + "ä".repeat(26)), error.message);
  assertEquals([(error.cause as Error).name, faults.length], ["Error", 1]);
});

Deno.test("Server describes whatever was thrown, and an asynchronous operate is told to the client", () => {
  const { client, server } = oneThread({ portCount: 1, laneCount: 4 });
  const { proxy: dead, revoke } = Proxy.revocable({}, {});
  revoke();
  const thrown = [undefined, null, Object.create(null), { toString: () => 1n }, Symbol("s"), dead];
  for (const value of thrown) {
    server.operate(OPCODE, () => {
      throw value;
    });
    assertEquals(assertThrows(() => callAndRead(client), CallError).status, Status.handlerFailed);
  }
  server.operate(OPCODE, (() => Promise.resolve()) as never);
  assertThrows(() => callAndRead(client), CallError, "must be synchronous");
});

Deno.test("two servers of one event loop share the calls, while one of them holds some", async () => {
  const channel = Channel.create({ portCount: 4, laneCount: 1 });
  const servers = [new Server(channel), new Server(channel)];
  const gate = Promise.withResolvers<void>();
  for (const server of servers) {
    server.operateAsync(OPCODE, () => gate.promise);
    server.operate(OPCODE + 1, increment);
  }
  const served = servers.map((server) => server.runAsync());
  const client = new Client(channel);
  const work = { fill: skip, use: skip };
  const held = client.callAsync(OPCODE, work, { timeoutSeconds: 10 });
  for (let call = 0; call < 5; call++) await client.callAsync(OPCODE + 1, work);
  setTimeout(gate.resolve, 20);
  await held;
  channel.shutDown();
  await Promise.all(served);
});

Deno.test("Server.run() that refuses to block is not waited for by a shutdown", () => {
  const { channel, server } = oneThread({ portCount: 1, laneCount: 1 });
  server.operateAsync(OPCODE, async () => {});
  assertThrows(() => server.run(), TypeError, "use runAsync()");
  channel.shutDown();
  assertEquals(channel.state, ChannelState.stopped);
});

Deno.test("Server.run() sweeps at a shutdown until nothing more was sent", () => {
  const { channel, server } = oneThread({ portCount: 2, laneCount: 1 });
  const client = new Client(channel); // whose waits serve nothing
  const ports = [client.open(OPCODE), client.open(OPCODE)]
    .toSorted((left, right) => left.index - right.index);
  let isLate = true;
  server.operate(OPCODE, () => {
    if (isLate) ports[0]!.send(skip); // the sweep has passed this port already
    isLate = false;
  });
  ports[1]!.send(skip);
  server.announce();
  channel.shutDown();
  assertEquals(server.run(), false);
  assertEquals(channel.state, ChannelState.stopped);
  const sent = ports as unknown as ClientPort<"theirs">[];
  assertEquals(sent.map((port) => port.query()), [true, true]);
});

Deno.test("Server gives a client five seconds for a step of its call, or what it is told", () => {
  const left = (options: { clientTimeoutSeconds?: number }) => {
    const channel = Channel.create({ portCount: 1, laneCount: 1 });
    let milliseconds = -1;
    const portWaiter: PortWaiter = {
      wait(_index, _foreign, guard) {
        milliseconds = guard.leftMilliseconds;
        throw new Error("enough");
      },
      waitAsync: () => Promise.resolve(),
    };
    const server = new Server(channel, { portWaiter, ...options });
    server.operatePort(OPCODE, (port) => void port.recv(skip).send(skip).recv(skip));
    new Client(channel).open(OPCODE).send(skip);
    server.runOnce();
    return Math.ceil(milliseconds / 1000);
  };
  assertEquals([left({}), left({ clientTimeoutSeconds: 9 })], [5, 9]);
  assertThrows(() => left({ clientTimeoutSeconds: -1 }), RangeError, "clientTimeoutSeconds must");
});

Deno.test("Server.run() sleeps behind as many idle searches as its strategy has, since its last call", () => {
  for (const [waiter, idleCount] of [["adaptive", 2000], ["park", 1]] as const) {
    const { channel, words, layout } = meddledChannel(2);
    const server = new Server(channel, { waiter });
    server.operate(OPCODE, skip);
    const client = new Client(channel);
    for (let call = 0; call < 2; call++) client.open(OPCODE).send(skip);
    const stateWord = layout.controlWord + ControlWord.state;
    let lookCount = -2; // two are before the first search
    const peek = words.peek.bind(words);
    words.peek = (word) => {
      if (word === stateWord && ++lookCount > 10_000) channel.stop();
      return peek(word);
    };
    const looksAtSleep: number[] = [];
    words.onSleep = () => {
      looksAtSleep.push(lookCount);
      channel.stop();
    };
    assertEquals(server.run(), false);
    // Each search looks once: those for the two calls, and those that found nothing.
    assertEquals(looksAtSleep, [2 + idleCount]);
  }
});

Deno.test("Server.runAsync() takes a turn of the event loop now and then, not at every call", async () => {
  const { channel, server } = oneThread({ portCount: 64, laneCount: 1 });
  const client = new Client(channel);
  let callCount = 0;
  server.operate(OPCODE, () => {
    if (++callCount === 64) channel.shutDown();
  });
  for (let call = 0; call < 64; call++) client.open(OPCODE).send(skip).close();
  const { setTimeout } = globalThis;
  let turnCount = 0;
  globalThis.setTimeout = ((...timer: Parameters<typeof setTimeout>) => {
    turnCount++;
    return setTimeout(...timer);
  }) as typeof setTimeout;
  try {
    await server.runAsync();
  } finally {
    globalThis.setTimeout = setTimeout;
  }
  assertEquals([callCount, turnCount <= 2], [64, true], `${turnCount} turns`);
});

Deno.test("Server tells its clients stacks, unless it is told not to", () => {
  const stackOf = (options: ServerOptions) => {
    const channel = Channel.create({ portCount: 1, laneCount: 64 });
    const server = new Server(channel, options);
    server.operate(OPCODE, function failing() {
      throw new RangeError("here");
    });
    const client = new Client(channel, {
      waiter: { wait: () => void server.runOnce() } as never,
    });
    const { cause } = assertThrows(() => client.call(OPCODE, { fill: skip, use: skip }), CallError);
    assertEquals([(cause as Error).name, (cause as Error).message], ["RangeError", "here"]);
    return (cause as Error).stack;
  };
  const tell = [{}, { tellsStacks: true }, { tellsStacks: false }];
  const told = tell.map((options) => stackOf(options)!.includes("failing"));
  assertEquals(told, [true, true, false]);
});

Deno.test("Server.run() passes no port over for one that always has a next call", () => {
  const channel = Channel.create({ portCount: 2, laneCount: 1, start: "first" });
  const client = new Client(channel);
  const served: number[] = [];
  // Nobody serves the one opcode: that is told when its port is free again, for the next call at once.
  const server = new Server(channel, {
    onFault({ opcode }) {
      served.push(opcode);
      if (served.length < 8) client.cast(opcode, skip);
      else channel.stop();
    },
  });
  server.operate(OPCODE, () => void served.push(OPCODE));
  client.cast(OPCODE + 1, skip);
  client.cast(OPCODE, skip);
  server.run();
  assertEquals(served.slice(0, 2), [OPCODE + 1, OPCODE]);
});
