import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { CallError } from "../../call/call_error.ts";
import type { Packet } from "../../memory/packet.ts";
import { increment } from "../../testing/conformance/services.ts";
import { checkOwnServer, serveReserved, ServiceRegistry } from "./service_registry.ts";
import type { Service } from "./service_table.ts";
import { oneThread } from "../../testing/fixtures/one_thread.ts";

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

Deno.test("Server.operatePort() replaces, and Server.remove() takes away, while clients call", () => {
  const { client, server } = oneThread({ portCount: 1, laneCount: 1 });
  assertThrows(() => callAndRead(client), CallError);
  server.operate(OPCODE, increment);
  assertEquals(callAndRead(client), 2);
  server.operatePort(
    OPCODE,
    (port) => void port.recvAndSend((packet) => packet.setUint32(0, 0, 9)),
  );
  assertEquals(callAndRead(client), 9);
  assertEquals([server.remove(OPCODE), server.remove(OPCODE)], [true, false]);
  assertThrows(() => callAndRead(client), CallError);
});

Deno.test("Server.operatePort() refuses an opcode out of range", () => {
  const { server } = oneThread({ portCount: 1, laneCount: 1 });
  for (const opcode of [-1, 65536, 0.5]) {
    assertThrows(() => server.operatePort(opcode, skip), RangeError, String(opcode));
    assertThrows(() => server.operate(opcode, skip), RangeError, String(opcode));
  }
});

/** A registry whose services can be looked at. */
class OpenRegistry extends ServiceRegistry {
  asyncCount = 0;

  protected override onAsync(): void {
    this.asyncCount++;
  }

  serviceOf(opcode: number): Service {
    return this.services.find(opcode);
  }
}

Deno.test("ServiceRegistry keeps what it is given, with the time that an asynchronous service has", () => {
  const registry = new OpenRegistry();
  const work = () => {};
  const wait = () => Promise.resolve();
  registry.operate(OPCODE, work);
  registry.operatePort(OPCODE + 1, work);
  assertEquals([registry.hasAsync, registry.asyncCount], [false, 0]);
  registry.operateAsync(OPCODE + 2, wait, { timeoutSeconds: 7 });
  registry.operatePortAsync(OPCODE + 3, wait);
  registry[serveReserved](1, { handler: work });
  assertEquals([registry.hasAsync, registry.asyncCount], [true, 2]);
  assertEquals([0, 1, 2, 3].map((place) => registry.serviceOf(OPCODE + place)), [
    { operate: work },
    { handler: work },
    { asynchronous: { operate: wait, timeoutSeconds: 7 } },
    { asynchronous: { handler: wait, timeoutSeconds: 30 } },
  ]);
  assertEquals(registry.serviceOf(1), { handler: work });
});

Deno.test("ServiceRegistry refuses a bad limit, what is no function, and reserved opcodes", () => {
  const registry = new OpenRegistry();
  const none = undefined as never;
  const reverse = (bytes: Uint8Array) => bytes;
  const wait = (bytes: Uint8Array) => Promise.resolve(bytes);
  for (const limitBytes of [-1, NaN, null as never]) {
    const options = { limitBytes };
    assertThrows(() => registry.operateMessage(OPCODE, reverse, options), RangeError, "limitBytes");
    assertThrows(
      () => registry.operateMessageAsync(OPCODE, wait, options),
      RangeError,
      "limitBytes",
    );
  }
  const options = { limitBytes: 8 };
  assertThrows(() => registry.operateMessage(OPCODE, none, options), TypeError, "a function");
  assertThrows(() => registry.operateMessageAsync(OPCODE, none, options), TypeError, "a function");
  assertThrows(() => registry.operatePort(7, skip), RangeError, "reserved");
  assertThrows(() => registry.operate(7, skip), RangeError, "reserved");
  assertThrows(() => registry.operateAsync(7, wait as never), RangeError, "reserved");
  assertThrows(() => registry.operateMessage(7, reverse, options), RangeError, "reserved");
});

Deno.test("a function of bytes that returns something else is told so", () => {
  const { client, server } = oneThread({ portCount: 1, laneCount: 4 });
  server.operateMessage(OPCODE, () => "text" as never, { limitBytes: 8 });
  const call = () => client.callMessage(OPCODE, new Uint8Array(1), { limitBytes: 8 });
  assertThrows(call, CallError, "must be a Uint8Array: current value is [object String]");
});

Deno.test("an asynchronous service that is refused disturbs no run() that runs", () => {
  const { channel, client, server } = oneThread({ portCount: 1, laneCount: 1 });
  const stateWords: number[] = [];
  server.operate(OPCODE, () => {
    stateWords.push(channel.stateWord);
    assertThrows(() => server.operateAsync(OPCODE + 1, undefined as never), TypeError);
    stateWords.push(channel.stateWord);
    server.operateAsync(OPCODE + 1, async () => {});
    stateWords.push(channel.stateWord);
    server.remove(OPCODE + 1);
    channel.shutDown();
  });
  client.cast(OPCODE, () => {});
  assertEquals(server.run(), false);
  assertEquals([stateWords[1] === stateWords[0], stateWords[2] === stateWords[0]], [true, false]);
});

Deno.test("a service that is refused leaves the one in place that there was", () => {
  const { client, server } = oneThread({ portCount: 1, laneCount: 1 });
  const limit = { limitBytes: 8 };
  const bytes = (one: Uint8Array) => one;
  const asynchronous = () => Promise.resolve();
  const setters: ((opcode: number, isFunction: boolean) => void)[] = [
    (opcode, isFunction) => server.operatePort(opcode, isFunction ? skip : none),
    (opcode, isFunction) => server.operate(opcode, isFunction ? skip : none),
    (opcode, isFunction) => server.operatePortAsync(opcode, isFunction ? asynchronous : none),
    (opcode, isFunction) => server.operateAsync(opcode, isFunction ? asynchronous : none),
    (opcode, isFunction) => server.operateMessage(opcode, isFunction ? bytes : none, limit),
    (opcode, isFunction) =>
      server.operateMessageAsync(opcode, isFunction ? async (one) => await one : none, limit),
  ];
  server.operate(OPCODE, increment);
  for (const set of setters) {
    for (const opcode of [0, 0x7fff, 0x10000]) assertThrows(() => set(opcode, true), RangeError);
    assertThrows(() => set(OPCODE, false), TypeError, "must be a function");
    assertEquals([callAndRead(client, 0), callAndRead(client), server.hasAsync], [1, 2, false]);
  }
  assertThrows(() => server.remove(0), RangeError);
  assertEquals(callAndRead(client, 0), 1);
});
const none = undefined as never;

Deno.test("checkOwnServer() tells a server of another copy of the library from what is none", async () => {
  const { server } = oneThread({ portCount: 1, laneCount: 1 });
  checkOwnServer(server);
  const other = await import(`./service_registry.ts?${"copy"}`) as {
    ServiceRegistry: typeof ServiceRegistry;
  };
  class OtherServer extends other.ServiceRegistry {
    protected override onAsync(): void {}
  }
  const copies = /another copy of this library: import both from one address/;
  for (const one of [new OtherServer(), new (class extends OtherServer {})()]) {
    const { message } = assertThrows(() => checkOwnServer(one), TypeError);
    assertMatch(message, copies);
  }
  for (
    const none of [
      undefined,
      null,
      5,
      {},
      Object.create(null, { toString: { value: () => "x" } }),
    ]
  ) {
    assertThrows(() => checkOwnServer(none), TypeError, "there must be a Server: current value is");
  }
});
