import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { CallError } from "../../call/call_error.ts";
import { startServer } from "../../worker/start_server.ts";
import { Channel } from "../channel.ts";
import { Client } from "../client/client.ts";
import { MessageWriter } from "../../call/message.ts";
import { Packet } from "../../memory/packet.ts";
import { PacketViews } from "../../memory/packet_views.ts";
import { Deadline } from "../../wait/deadline.ts";
import { sendRest, sendRestAsync } from "./dispatch.ts";
import { Server } from "./server.ts";
import { CallAbandonedError, type ServerSide } from "./server_side.ts";

const OPCODE = 40_000;
const WORK = { fill: () => {}, use: () => {} };
const MESSAGE = "a long way down ".repeat(300);
const SERVICES = "data:text/javascript," + encodeURIComponent(`
  export function addServices(server) {
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
  const served = server.runAsync();
  const client = new Client(channel);
  const idle = client.open(OPCODE).send(() => {});
  await client.callAsync(0, WORK);
  // Until the test run ends, if it never is.
  while (channel.words.load(channel.layout.serverLockWord + idle.index) !== 0) {
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  channel.shutDown();
  await served;
  idle.close();
});

/** A side whose client asks `askCount` times for more, and then ends the wait with an error. */
function askedBy(askCount: number, end: Error) {
  const steps: unknown[] = [];
  const limit = new Deadline({ timeoutSeconds: 60 });
  const limits = [limit];
  const wait = (index: number, given: Deadline) => {
    steps.push(["wait", index, given === limit]);
    if (steps.filter((step) => Array.isArray(step)).length > askCount) throw end;
  };
  const side = {
    stepDeadline: () => limits.pop() ?? new Deadline({ timeoutSeconds: 60 }),
    giveAway: (index: number) => steps.push(`give ${index}`),
    unlock: (index: number) => steps.push(`unlock ${index}`),
    awaitBuffer: wait,
    awaitBufferAsync: (index: number, given: Deadline) =>
      Promise.resolve().then(() => wait(index, given)),
  };
  const { laneCount, packetWords, packetsWord } = { laneCount: 1, packetWords: 48, packetsWord: 0 };
  const packet = new Packet(
    new PacketViews(new Int32Array(packetWords), { laneCount, packetWords: 16, packetsWord }),
  );
  packet.aim(2, 1, 0);
  const writer = new MessageWriter(new Uint8Array(150)); // three packets of 64 bytes
  writer.put(packet);
  return { side: side as unknown as ServerSide, steps, packet, writer };
}

const WAIT = ["wait", 2, true];

for (
  const [what, askCount, expected] of [
    ["as often as it is asked for", 9, ["give 2", WAIT, "give 2", WAIT, "give 2", "unlock 2"]],
    ["no further than its client wants", 1, ["give 2", WAIT, "give 2", WAIT, "unlock 2"]],
    ["not at all", 0, ["give 2", WAIT, "unlock 2"]],
  ] as const
) {
  Deno.test(`the rest of an error is sent ${what}, under one limit, and the port is returned`, async () => {
    const end = new CallAbandonedError("left");
    const blocking = askedBy(askCount, end);
    sendRest(blocking.side, blocking.packet, blocking.writer);
    const waiting = askedBy(askCount, end);
    await sendRestAsync(waiting.side, waiting.packet, waiting.writer);
    assertEquals([blocking.steps, waiting.steps], [expected, expected]);
  });
}

Deno.test("a mistake in sending the rest of an error is not hidden, and the port is returned", async () => {
  const blocking = askedBy(0, new TypeError("a mistake"));
  assertThrows(
    () => sendRest(blocking.side, blocking.packet, blocking.writer),
    TypeError,
    "a mistake",
  );
  const waiting = askedBy(0, new TypeError("a mistake"));
  const sent = sendRestAsync(waiting.side, waiting.packet, waiting.writer);
  await assertRejects(() => sent, TypeError, "a mistake");
  assertEquals([blocking.steps.at(-1), waiting.steps.at(-1)], ["unlock 2", "unlock 2"]);
});
