/** A handler that gives no answer is told from one that does, whichever way it is called. */
import { assertEquals, assertRejects } from "@std/assert";
import { CallError } from "../../call/call_error.ts";
import { recvStream, sendStream } from "../../call/stream.ts";
import { Status } from "../../memory/status.ts";
import { Client } from "../../toggle/client/client.ts";
import { Pending } from "../../toggle/pending/pending.ts";
import type { AsyncHandler, Handler } from "../../toggle/server/service_table.ts";
import { oneThread } from "../fixtures/one_thread.ts";
import { Channel } from "../../toggle/channel.ts";
import { Server } from "../../toggle/server/server.ts";

const OPCODE = 40_000;
const WORK = { fill: skip, use: skip };
const LIMIT = { limitBytes: 4096 };
const BYTES = new Uint8Array(3);
function skip(): void {}

function fails(): never {
  throw new Error("no use");
}

/** Handlers that give none. */
const SILENT: Readonly<Record<string, Handler>> = {
  "returns at once": () => {},
  "closes at once": (port) => port.close(),
  "closes in a using": (port) => {
    using _port = port;
  },
  "accepts the packet, and no more": (port) => void port.accept(),
  "catches what its use threw"(port) {
    try {
      port.recv(fails);
    } catch {
      // As a handler may that takes it for unimportant.
    }
  },
  "waits for a second packet": (port) => void port.recv(skip).recv(skip),
  "has a Pending that comes to nothing": () => new Pending({ poll: () => () => {} }) as never,
};

/** Ways to call. */
const CALLS: Readonly<Record<string, (client: Client) => unknown>> = {
  call: (client) => client.call(OPCODE, WORK),
  callAsync: (client) => client.callAsync(OPCODE, WORK),
  callMessage: (client) => client.callMessage(OPCODE, BYTES, LIMIT),
  callMessageAsync: (client) => client.callMessageAsync(OPCODE, BYTES, LIMIT),
  callValue: (client) => client.callValue(OPCODE, 1, LIMIT),
  recv: (client) => client.open(OPCODE).send(skip).recv(skip),
  sendAndRecv: (client) => client.open(OPCODE).sendAndRecv(WORK),
  "a stream"(client) {
    using port = client.open(OPCODE);
    sendStream(port, [BYTES]);
    return recvStream(port, LIMIT);
  },
};

for (const [silence, handler] of Object.entries(SILENT)) {
  Deno.test(`noReply: a handler that ${silence} gives no form of call its own request back`, async () => {
    for (const [form, call] of Object.entries(CALLS)) {
      const channel = Channel.create({ portCount: 1, laneCount: 1 });
      const faults: Status[] = [];
      const server = new Server(channel, {
        clientTimeoutSeconds: 0,
        onFault: ({ status }) => faults.push(status),
      });
      server.operatePort(OPCODE, handler);
      const serve = () => {
        server.runOnce();
        server.pollPending();
      };
      const client = new Client(channel, {
        waiter: { wait: serve, waitAsync: () => Promise.resolve(serve()) },
      });
      const error = await assertRejects(async () => void await call(client), CallError);
      assertEquals(error.status, Status.noReply, form);
      const isLeft = silence.startsWith("waits");
      assertEquals(faults, [isLeft ? Status.clientLate : Status.noReply], form);
    }
  });
}

Deno.test("noReply: asynchronous handlers, too, and the host hears of it", async () => {
  const handlers: AsyncHandler[] = [
    async () => {},
    (port) => Promise.resolve(port.close()),
    async (port) => void await port.recvAsync(fails).catch(skip),
  ];
  const channel = Channel.create({ portCount: 1, laneCount: 1 });
  const faults: Status[] = [];
  const server = new Server(channel, { onFault: ({ status }) => faults.push(status) });
  handlers.forEach((handler, place) => server.operatePortAsync(OPCODE + place, handler));
  const served = server.runAsync();
  const client = new Client(channel);
  for (const place of handlers.keys()) {
    const error = await assertRejects(() => client.callAsync(OPCODE + place, WORK), CallError);
    assertEquals(error.status, Status.noReply);
  }
  channel.shutDown();
  await served;
  assertEquals(faults, Array(handlers.length).fill(Status.noReply));
});

Deno.test("noReply: what a handler worked on in place is its answer, and so is a longer call's end", () => {
  const { client, server, faults } = oneThread({ portCount: 1, laneCount: 1 });
  const answers: Record<string, Handler> = {
    use: (port) => port.use((packet) => packet.setUint32(0, 0, 7)),
    recv: (port) => void port.recv((packet) => packet.setUint32(0, 0, 7)),
    send: (port) => void port.send((packet) => packet.setUint32(0, 0, 7)),
    recvAndSend: (port) => void port.recvAndSend((packet) => packet.setUint32(0, 0, 7)),
  };
  for (const [name, handler] of Object.entries(answers)) {
    server.operatePort(OPCODE, handler);
    let answer = 0;
    client.call(OPCODE, { fill: skip, use: (packet) => answer = packet.getUint32(0, 0) });
    assertEquals(answer, 7, name);
  }
  server.operatePort(OPCODE, skip);
  client.cast(OPCODE, skip);
  server.runAll();
  assertEquals(faults, [], "of a cast nobody wants an answer");
});

Deno.test("noReply: a client that sends several packets goes on, and gets the answer to all", () => {
  const channel = Channel.create({ portCount: 1, laneCount: 1 });
  const server = new Server(channel);
  const port = new Client(channel).open(OPCODE).send(skip);
  const served = server.tryOpen()!.recv(skip);
  const waiter = served.recvAsync((packet) => packet.setUint32(0, 1, packet.getUint32(0, 0) + 1));
  const sent = port.send((packet) => packet.setUint32(0, 0, 4));
  return waiter.then(() => {
    served.close();
    sent.recv((packet) => assertEquals(packet.getUint32(0, 1), 5)).close();
  });
});

Deno.test("noReply: a wave of a GPU, which takes every status for the end, is asked for more with none", () => {
  const channel = Channel.create({ portCount: 1, laneCount: 1 });
  const server = new Server(channel, { clientTimeoutSeconds: 0 });
  server.operatePort(OPCODE, (port) => void port.recv(skip).recv(skip));
  const { words, layout } = channel;
  const opcodeWord = layout.headersWord + 2;
  const port = new Client(channel).open(OPCODE);
  port.send(() => void (words.plain[opcodeWord] = OPCODE));
  server.runOnce();
  assertEquals(words.plain[opcodeWord + 1], Status.ok);
  port.close();
});
