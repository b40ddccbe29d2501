/** What is refused changes nothing: neither a word of the channel, nor what the port can do next. */
import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { InvariantError } from "../../memory/assert.ts";
import { Channel } from "../../toggle/channel.ts";
import { Client } from "../../toggle/client/client.ts";
import type { ClientPort } from "../../toggle/client/client_port.ts";
import { reclaimClient, reclaimServer } from "../../toggle/reclaim.ts";
import { Server } from "../../toggle/server/server.ts";
import type { ServerPort } from "../../toggle/server/server_port.ts";

const OPCODE = 40_000;
function skip(): void {}

type Operations = Readonly<Record<string, () => unknown>>;

/** Every operation, whatever state the port is in. */
function clientOperations(port: ClientPort): Operations {
  const any = port as ClientPort<"theirs">;
  return {
    send: () => any.send(skip),
    sendAsync: () => any.sendAsync(skip),
    recv: () => any.recv(skip),
    recvAsync: () => any.recvAsync(skip),
    tryRecv: () => any.tryRecv(skip),
    query: () => any.query(),
    sendAndRecv: () => any.sendAndRecv({ fill: skip, use: skip }),
    use: () => any.use(skip),
    close: () => any.close(),
  };
}
function serverOperations(port: ServerPort): Operations {
  const any = port as ServerPort<"theirs">;
  return {
    accept: () => any.accept(),
    send: () => any.send(skip),
    sendAsync: () => any.sendAsync(skip),
    recv: () => any.recv(skip),
    recvAsync: () => any.recvAsync(skip),
    recvAndSend: () => any.recvAndSend(skip),
    tryRecv: () => any.tryRecv(skip),
    query: () => any.query(),
    use: () => any.use(skip),
    close: () => any.close(),
  };
}
/** A call on port 1 of 3, whose first packet the server has taken. */
function scene() {
  const channel = Channel.create({ portCount: 3, laneCount: 1 });
  const [client, server] = [new Client(channel), new Server(channel)];
  const ports = [client.open(OPCODE), client.open(OPCODE), client.open(OPCODE)];
  const port = ports.find(({ index }) => index === 1)!;
  for (const other of ports) if (other !== port) other.close();
  return { channel, client, server, port };
}

/** Tries operations that have to be refused, one after the other. */
async function refuses(
  channel: Channel,
  operations: Operations,
  names: readonly string[],
): Promise<void> {
  for (const name of names) {
    const before = [...channel.words.plain];
    await assertRejects(async () => void await operations[name]!(), InvariantError, "", name);
    assertEquals([...channel.words.plain], before, name);
  }
}

const RECEIVING = ["recv", "recvAsync", "tryRecv", "query"] as const;

Deno.test("a client's port refuses what does not fit its state, and nothing changes", async () => {
  const { channel, server, port } = scene();
  const operations = clientOperations(port);
  const all = Object.keys(operations);
  await refuses(channel, operations, RECEIVING);
  const sent = port.send(skip);
  await refuses(channel, operations, ["use"]);
  const waited = sent.recvAsync(skip);
  await refuses(channel, operations, all.filter((name) => name !== "close"));
  server.tryOpen()!.recv(skip).send(skip).close();
  const mine = await waited;
  await refuses(channel, operations, ["tryRecv", "query"]);
  mine.use(() => {
    for (const name of all.filter((name) => !name.endsWith("Async"))) {
      assertThrows(operations[name]!, InvariantError, "callbacks");
    }
  });
  mine.close();
  using _next = new Client(channel).open(OPCODE); // whose lock stays
  await refuses(channel, operations, all);
});

Deno.test("a client's port whose call has failed can only be closed", async () => {
  const { channel, server, port } = scene();
  const sent = port.send(skip);
  server.runOnce(); // has no service
  assertThrows(() => sent.recv(skip), Error, "no handler");
  const operations = clientOperations(port);
  await refuses(channel, operations, Object.keys(operations).filter((name) => name !== "close"));
  port.close();
});

Deno.test("a server's port refuses what does not fit its state, and nothing changes", async () => {
  const { channel, server, port } = scene();
  const sent = port.send(skip);
  const served = server.tryOpen()!;
  const operations = serverOperations(served);
  const all = Object.keys(operations);
  await refuses(channel, operations, ["tryRecv", "query"]);
  const mine = served.recv(skip);
  await refuses(channel, operations, ["accept", "tryRecv", "query"]);
  mine.use(() => {
    for (const name of all.filter((name) => !/Async|accept/.test(name))) {
      assertThrows(operations[name]!, InvariantError, "callbacks");
    }
  });
  const answered = mine.send(skip);
  await refuses(channel, operations, ["accept", "use"]);
  const waited = answered.recvAsync(skip);
  await refuses(channel, operations, all);
  sent.recv(skip).send(skip);
  await waited;
  served.close();
  await refuses(channel, operations, all);
});

Deno.test("a server's port whose wait has failed can only be closed", async () => {
  const { channel, server, port } = scene();
  port.send(skip);
  const served = server.tryOpen()!;
  const operations = serverOperations(served);
  const answered = served.recv(skip).send(skip);
  assertThrows(() => answered.recv(skip, { timeoutSeconds: 0 }), Error, "within 0 s");
  await refuses(channel, operations, Object.keys(operations).filter((name) => name !== "close"));
  served.close();
});

Deno.test("a call with a wrong argument changes nothing, and neither does a wrong id", async () => {
  const { channel, client, port } = scene();
  const other = new Client(channel);
  const work = { fill: skip, use: skip };
  const closed = client.open(OPCODE);
  closed.close();
  const none = { mask: { lo: 0, hi: 0 } };
  const late = { timeoutSeconds: -1 };
  const bytes = new Uint8Array(1);
  const wrong: Operations = {
    open: () => client.open(70_000),
    openMask: () => client.open(OPCODE, none),
    openLate: () => client.open(OPCODE, late),
    openAsync: () => client.openAsync(OPCODE, none),
    openAsyncLate: () => client.openAsync(OPCODE, late),
    tryOpen: () => client.tryOpen(OPCODE, none),
    reopen: () => client.reopen(closed, 70_000),
    reopenLate: () => client.reopen(closed, OPCODE, late),
    reopenOpen: () => client.reopen(port, OPCODE),
    reopenOther: () => other.reopen(closed, OPCODE),
    call: () => client.call(70_000, work),
    callLate: () => client.call(OPCODE, work, late),
    cast: () => client.cast(OPCODE, skip, none),
    castLate: () => client.cast(OPCODE, skip, late),
    callMessage: () => client.callMessage(OPCODE, bytes, { limitBytes: -1 }),
    callMessageAsync: () => client.callMessageAsync(OPCODE, bytes, { limitBytes: NaN }),
    reclaimClient: () => reclaimClient(channel, 99),
    reclaimServer: () => reclaimServer(channel, 0),
  };
  for (const [name, operation] of Object.entries(wrong)) {
    const before = [...channel.words.plain];
    await assertRejects(async () => void await operation(), Error, "", name);
    assertEquals([[...channel.words.plain], closed.isOpen], [before, false], name);
  }
});
