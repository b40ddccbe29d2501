/** What crosses in a call, a message, a stream or a value, and what happens where the sides do not agree. */
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { CallError } from "../../call/call_error.ts";
import { cloneCodec, jsonCodec } from "../../call/codec.ts";
import { LengthRefusedError } from "../../call/limit.ts";
import { recvStreamAsync, sendStream, sendStreamAsync } from "../../call/stream.ts";
import { laneMask } from "../../memory/lane_mask.ts";
import { Status } from "../../memory/status.ts";
import { startServer } from "../../worker/start_server.ts";
import { Channel } from "../channel.ts";
import { Server } from "../server/server.ts";
import { Client } from "./client.ts";

const LIMIT_BYTES = 10_000;
const MOD = new URL("../../mod.ts", import.meta.url);
const SERVICES = "data:text/javascript," + encodeURIComponent(`
  import { cloneCodec } from "${MOD}";
  export function addServices(server) {
    const limits = { limitBytes: ${LIMIT_BYTES} };
    server.operateMessage(40_000, (bytes) => bytes.toReversed(), limits);
    server.operateMessage(40_001, async (bytes) => bytes, limits);
    server.operateValue(40_002, (value) => ({ got: value }), limits);
    server.operateValue(40_003, (value) => ({ got: value }), { ...limits, codec: cloneCodec });
    server.operateStream(40_004, (lanes) => lanes.map((bytes) => bytes?.toReversed()), limits);
    server.operateMessage(40_005, (bytes) => bytes);
    server.operateStream(40_006, async (lanes) => lanes);
  }`);

function bytesOf(lengthBytes: number): Uint8Array {
  return Uint8Array.from({ length: lengthBytes }, (_, byte) => byte % 251);
}

for (const laneCount of [1, 3, 64]) {
  Deno.test(`Client.callMessage() carries any length within the limits, over ${laneCount} lanes`, async () => {
    const channel = Channel.create({ portCount: 2, laneCount });
    await using server = await startServer(channel, { services: [SERVICES] });
    const client = new Client(channel);
    const room = laneCount * 64;
    const options = { limitBytes: LIMIT_BYTES };
    for (const length of [0, 1, room - 8, room - 7, 2 * room - 8, 2 * room - 7, LIMIT_BYTES]) {
      const bytes = bytesOf(length);
      assertEquals(client.callMessage(40_000, bytes, options), bytes.toReversed());
      assertEquals(await client.callMessageAsync(40_000, bytes, options), bytes.toReversed());
    }
    assert(server.serverId > 0);
  });
}

Deno.test("Client.callMessage() keeps each side's limit, and the port serves on", async () => {
  const channel = Channel.create({ portCount: 1, laneCount: 1 });
  await using server = await startServer(channel, { services: [SERVICES] });
  const client = new Client(channel);
  const call = (lengthBytes: number, limitBytes: number, opcode = 40_000) => () =>
    client.callMessage(opcode, bytesOf(lengthBytes), { limitBytes, timeoutSeconds: 5 });
  const error = assertThrows(call(LIMIT_BYTES + 1, 1), CallError, "10001 bytes");
  assertEquals(error.status, Status.lengthRefused);
  assertThrows(call(500, 499), LengthRefusedError, "500 bytes");
  assertThrows(call(1, NaN), RangeError, "limitBytes");
  assertThrows(call(1, 1, 40_001), CallError, "must be synchronous");
  assertEquals(call(500, 500)().length, 500);
  assert(server.serverId > 0);
});

Deno.test("a mebibyte crosses when nothing is said, and not a byte more", async () => {
  const channel = Channel.create({ portCount: 1, laneCount: 64 });
  await using server = await startServer(channel, { services: [SERVICES] });
  const client = new Client(channel);
  const bytes = bytesOf(2 ** 20);
  assertEquals(client.callMessage(40_005, bytes), bytes);
  const error = assertThrows(() => client.callMessage(40_005, bytesOf(2 ** 20 + 1)), CallError);
  assertEquals(error.status, Status.lengthRefused);
  assert(server.serverId > 0);
});

Deno.test("Client.callStream() carries what each lane has, to the lanes that take part", async () => {
  const channel = Channel.create({ portCount: 1, laneCount: 3 });
  await using server = await startServer(channel, { services: [SERVICES] });
  const client = new Client(channel);
  const payloads = [bytesOf(300), undefined, bytesOf(3)];
  const mask = laneMask(0, 2);
  const answers = payloads.map((bytes) => bytes?.toReversed());
  assertEquals(client.callStream(40_004, payloads, { mask }), answers);
  assertEquals(client.callStream(40_004, payloads, { mask, window: 4 }), answers);
  assertEquals(await client.callStreamAsync(40_004, payloads, { mask }), answers);
  assertThrows(() => client.callStream(40_004, payloads, { limitBytes: 299 }), LengthRefusedError);
  const stray = () => client.callStream(40_004, payloads, { mask: laneMask(0) });
  assertThrows(stray, RangeError, "lane 2");
  assertThrows(() => client.callStream(40_006, payloads), CallError, "must be synchronous");
  assertEquals(client.callStream(40_004, []), Array(3).fill(new Uint8Array()));
  assert(server.serverId > 0);
});

Deno.test("Client.callValue() brings values there and back by either codec", async () => {
  const channel = Channel.create({ portCount: 2, laneCount: 4 });
  await using server = await startServer(channel, { services: [SERVICES] });
  const client = new Client(channel);
  const clone = { codec: cloneCodec, limitBytes: LIMIT_BYTES };
  const value = { name: "ä".repeat(400), list: [1, 2.5, null] };
  assertEquals(client.callValue(40_002, value), { got: value });
  assertEquals(client.callValue(40_002, value, { codec: jsonCodec }), { got: value });
  const map = new Map([["a", 1n]]);
  assertEquals(client.callValue(40_003, map, clone), { got: map });
  assertEquals(await client.callValueAsync(40_003, 1, clone), { got: 1 });
  assertThrows(() => client.callValue(40_003, value), CallError);
  assert(server.serverId > 0);
});

/** A server and a client on one event loop. */
async function together(
  addServices: (server: Server) => void,
  use: (client: Client) => Promise<void>,
): Promise<void> {
  const channel = Channel.create({ portCount: 2, laneCount: 4 });
  const server = new Server(channel);
  addServices(server);
  const served = server.runAsync();
  try {
    await use(new Client(channel));
  } finally {
    channel.shutDown();
    await served;
  }
}

Deno.test("services that wait are reached on the same event loop, each with its limits", async () => {
  const addServices = (server: Server) => {
    server.operateMessageAsync(40_000, async (bytes) => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      if (bytes.length === 3) throw new RangeError("three");
      return bytes.slice(1);
    }, { limitBytes: 1000 });
    server.operateValueAsync(40_001, (value) => Promise.resolve([value]));
    server.operateStreamAsync(40_002, (lanes) => Promise.resolve(lanes));
    server.operateValue(40_003, () => Promise.resolve(1));
  };
  await together(addServices, async (client) => {
    const call = (lengthBytes: number) => client.callMessageAsync(40_000, bytesOf(lengthBytes));
    const answers = await Promise.all([call(400), call(900), call(1)]);
    assertEquals(answers.map((bytes) => bytes.length), [399, 899, 0]);
    await assertRejects(() => call(3), CallError, "three");
    const error = await assertRejects(() => call(1001), CallError);
    assertEquals(error.status, Status.lengthRefused);
    assertEquals(await client.callValueAsync(40_001, "x"), ["x"]);
    const lanes = [1, 2, 3, 4].map(bytesOf);
    assertEquals(await client.callStreamAsync(40_002, lanes), lanes);
    await assertRejects(() => client.callValueAsync(40_003, 1), CallError, "must be synchronous");
  });
});

Deno.test("services of messages, streams and values refuse bad limits and what is no function", () => {
  const server = new Server(Channel.create({ portCount: 1, laneCount: 1 }));
  const methods = ["operateMessage", "operateStream", "operateValue"] as const;
  for (const name of methods.flatMap((one) => [one, `${one}Async`] as const)) {
    const operate = server[name].bind(server) as Server["operateValue"];
    assertThrows(() => operate(40_000, () => 1, { limitBytes: NaN }), RangeError, "limitBytes");
    assertThrows(() => operate(40_000, undefined as never), TypeError, "opcode 40000");
    assertThrows(() => operate(1, () => 1), RangeError, "reserved");
  }
});

/** Sends a stream through a port, as a client of more steps does. */
async function streamByPort(client: Client, opcode: number): Promise<void> {
  using port = await client.openAsync(opcode);
  await sendStreamAsync(port, [bytesOf(40)]);
  await recvStreamAsync(port as never);
}

const CALLS: Record<string, (client: Client, opcode: number) => Promise<unknown>> = {
  message: (client, opcode) => client.callMessageAsync(opcode, bytesOf(90)),
  stream: (client, opcode) => client.callStreamAsync(opcode, [bytesOf(40)]),
  value: (client, opcode) => client.callValueAsync(opcode, "0123456789".repeat(9)),
  "stream by a port": streamByPort,
};

Deno.test("what a client sends and what its handler takes are told apart, in both directions", async () => {
  const addServices = (server: Server) => {
    server.operate(40_000, () => {});
    server.operateAsync(40_001, () => {});
    server.operateMessage(40_002, (bytes) => bytes);
    server.operateStream(40_003, (lanes) => lanes);
    server.operateValue(40_004, (value) => value);
    server.operatePortAsync(40_005, async (port) => {
      await recvStreamAsync(port);
      await sendStreamAsync(port, []);
    });
    server.operatePort(40_006, (port) => sendStream(port, []));
  };
  const takers = ["packet", "packet", "message", "stream", "value", "stream", "stream"];
  await together(addServices, async (client) => {
    for (const [taker, taken] of takers.entries()) {
      for (const [name, call] of Object.entries(CALLS)) {
        const sent = name.split(" ")[0]!;
        const answer = call(client, 40_000 + taker);
        if (sent === taken) await answer;
        else {
          const opposite = {
            packet: "",
            message: "Message",
            stream: "Stream",
            value: "Value",
          }[taken]!;
          await assertRejects(
            () => answer,
            CallError,
            `the client sent a ${sent} and the handler takes a ${taken}: call it by call${opposite}()`,
          );
        }
      }
    }
  });
});
