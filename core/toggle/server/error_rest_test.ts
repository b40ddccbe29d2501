import { assert, assertEquals, assertThrows } from "@std/assert";
import { CallError } from "../../call/call_error.ts";
import { startServer } from "../../worker/start_server.ts";
import { Channel } from "../channel.ts";
import { Client } from "../client/client.ts";
import { Server } from "./server.ts";

const OPCODE = 40_000;
const WORK = { fill: () => {}, use: () => {} };
const MESSAGE = "a long way down ".repeat(300);
const SERVICES = "data:text/javascript," + encodeURIComponent(`
  export function register(server) {
    server.operate(${OPCODE}, () => { throw new RangeError("${MESSAGE}"); });
    server.operate(${OPCODE + 2}, () => {});
  }`);

Deno.test("a client that takes the first packet only does not hold up the server", async () => {
  const channel = Channel.create({ portCount: 2, laneCount: 1 });
  await using server = await startServer(channel, { services: [SERVICES] });
  const client = new Client(channel);
  const sent = client.open(OPCODE).send(() => {});
  while (!sent.query());
  const error = assertThrows(() => sent.tryRecv(() => {}), CallError, "a long way down");
  assert(error.message.length < MESSAGE.length);
  sent.close();
  client.call(OPCODE + 2, WORK, { timeoutSeconds: 2 });
  assert(server.serverId > 0);
});

Deno.test("a client that never asks for the rest is given up on, and other calls go on", async () => {
  const channel = Channel.create({ portCount: 2, laneCount: 1 });
  const server = new Server(channel, { clientTimeoutSeconds: 0.02 });
  server.operate(OPCODE, () => {
    throw new RangeError(MESSAGE);
  });
  const served = server.serveAsync();
  const client = new Client(channel);
  const idle = client.open(OPCODE).send(() => {});
  await client.callAsync(0, WORK);
  await new Promise((resolve) => setTimeout(resolve, 60));
  assertEquals(channel.words.load(channel.layout.serverLockWord + idle.index), 0);
  channel.shutDown();
  assertEquals(await served, false);
  idle.close();
});
