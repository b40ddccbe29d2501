import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { CallError } from "../../call/call_error.ts";
import { jsonCodec, v8Codec } from "../../call/codec.ts";
import { LengthRefusedError } from "../../call/limit.ts";
import { Status } from "../../memory/status.ts";
import { startServer } from "../../worker/start_server.ts";
import { Channel } from "../channel.ts";
import { Server } from "../server/server.ts";
import { callValue, callValueAsync } from "./call_value.ts";
import { Client } from "../client/client.ts";

const LIMIT_BYTES = 10_000;
const MOD = new URL("../../mod.ts", import.meta.url);
const SERVICES = "data:text/javascript," + encodeURIComponent(`
  import { jsonCodec, operateValue, v8Codec } from "${MOD}";
  export function register(server) {
    server.operateBytes(40_000, (bytes) => bytes.toReversed(), { limitBytes: ${LIMIT_BYTES} });
    server.operateBytes(40_001, async (bytes) => bytes, { limitBytes: ${LIMIT_BYTES} });
    const options = { limitBytes: ${LIMIT_BYTES}, work: (value) => ({ got: value }) };
    operateValue(server, 40_002, { ...options, codec: jsonCodec });
    operateValue(server, 40_003, { ...options, codec: v8Codec });
  }`);

function bytesOf(lengthBytes: number): Uint8Array {
  return Uint8Array.from({ length: lengthBytes }, (_, byte) => byte % 251);
}

for (const laneCount of [1, 3, 64]) {
  Deno.test(`Client.callBytes() carries any length within the limits, over ${laneCount} lanes`, async () => {
    const channel = Channel.create({ portCount: 2, laneCount });
    await using server = await startServer(channel, { services: [SERVICES] });
    const client = new Client(channel);
    const room = laneCount * 64;
    const options = { limitBytes: LIMIT_BYTES };
    for (const length of [0, 1, room - 8, room - 7, 2 * room - 8, 2 * room - 7, LIMIT_BYTES]) {
      const bytes = bytesOf(length);
      assertEquals(client.callBytes(40_000, bytes, options), bytes.toReversed());
      assertEquals(await client.callBytesAsync(40_000, bytes, options), bytes.toReversed());
    }
    assert(server.serverId > 0);
  });
}

Deno.test("Client.callBytes() keeps each side's limit, and the port serves on", async () => {
  const channel = Channel.create({ portCount: 1, laneCount: 1 });
  await using server = await startServer(channel, { services: [SERVICES] });
  const client = new Client(channel);
  const call = (lengthBytes: number, limitBytes: number, opcode = 40_000) => () =>
    client.callBytes(opcode, bytesOf(lengthBytes), { limitBytes, timeoutSeconds: 5 });
  const error = assertThrows(call(LIMIT_BYTES + 1, 1), CallError, "10001 bytes");
  assertEquals(error.status, Status.lengthRefused);
  assertThrows(call(500, 499), LengthRefusedError, "500 bytes");
  assertThrows(call(1, NaN), RangeError, "limitBytes");
  assertThrows(call(1, 1, 40_001), CallError, "must be synchronous");
  assertEquals(call(500, 500)().length, 500);
  assert(server.serverId > 0);
});

Deno.test("callValue() brings values there and back by either codec", async () => {
  const channel = Channel.create({ portCount: 2, laneCount: 4 });
  await using server = await startServer(channel, { services: [SERVICES] });
  const client = new Client(channel);
  const json = { codec: jsonCodec, limitBytes: LIMIT_BYTES };
  const v8 = { codec: v8Codec, limitBytes: LIMIT_BYTES };
  const value = { name: "ä".repeat(400), list: [1, 2.5, null] };
  assertEquals(callValue(client, { opcode: 40_002, value }, json), { got: value });
  const map = new Map([["a", 1n]]);
  assertEquals(callValue(client, { opcode: 40_003, value: map }, v8), { got: map });
  assertEquals(await callValueAsync(client, { opcode: 40_003, value: 1 }, v8), { got: 1 });
  assertThrows(() => callValue(client, { opcode: 40_003, value }, json), CallError);
  assert(server.serverId > 0);
});

Deno.test("Client.callBytesAsync() reaches asynchronous services on the same event loop", async () => {
  const channel = Channel.create({ portCount: 2, laneCount: 1 });
  const server = new Server(channel);
  server.operateBytesAsync(40_000, async (bytes) => {
    await new Promise((resolve) => setTimeout(resolve, 1));
    if (bytes.length === 3) throw new RangeError("three");
    return bytes.slice(1);
  }, { limitBytes: 1000 });
  const served = server.serveAsync();
  const client = new Client(channel);
  const options = { limitBytes: 1000 };
  const call = (lengthBytes: number) =>
    client.callBytesAsync(40_000, bytesOf(lengthBytes), options);
  const answers = await Promise.all([call(400), call(900), call(1)]);
  assertEquals(answers.map((bytes) => bytes.length), [399, 899, 0]);
  await assertRejects(() => call(3), CallError, "three");
  assertEquals(
    (await assertRejects(() => call(1001), CallError)).status,
    Status.lengthRefused,
  );
  channel.shutDown();
  await served;
});
