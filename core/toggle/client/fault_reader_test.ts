import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { CallError } from "../../call/call_error.ts";
import { readErrorText } from "../../call/error_text.ts";
import { Packet } from "../../memory/packet.ts";
import { PacketViews } from "../../memory/packet_views.ts";
import { Status } from "../../memory/status.ts";
import { startServer } from "../../worker/start_server.ts";
import { Channel } from "../channel.ts";
import { Server } from "../server/server.ts";
import { Client } from "./client.ts";

const OPCODE = 40_000;
const WORK = { fill: () => {}, use: () => {} };
const MESSAGE = "a long way down ".repeat(300);
const SERVICES = "data:text/javascript," + encodeURIComponent(`
  function fail() { throw new RangeError("${MESSAGE}"); }
  export function register(server) {
    server.operate(${OPCODE}, fail);
    server.register(${OPCODE + 1}, (port) => port.recv(() => {}).send(() => {}).recv(fail));
    server.operate(${OPCODE + 2}, () => {});
  }`);

function check(error: CallError): void {
  const cause = error.cause as Error;
  assertEquals([error.status, cause.name, cause.message], [
    Status.handlerFailed,
    "RangeError",
    MESSAGE,
  ]);
  assert(error.message.endsWith(MESSAGE) && cause.stack!.includes("at fail"), cause.stack);
}

for (const laneCount of [1, 64]) {
  Deno.test(`what a handler threw arrives whole, through ${laneCount} lanes and every way to call`, async () => {
    const channel = Channel.create({ portCount: 2, laneCount });
    await using server = await startServer(channel, { services: [SERVICES] });
    const client = new Client(channel);
    for (let repetition = 0; repetition < 3; repetition++) {
      check(assertThrows(() => client.call(OPCODE, WORK), CallError));
      check(await assertRejects(() => client.callAsync(OPCODE, WORK), CallError));
      {
        using port = client.open(OPCODE + 1);
        const mine = port.send(() => {}).recv(() => {});
        check(assertThrows(() => mine.send(() => {}).recv(() => {}), CallError));
      }
      client.call(OPCODE + 2, WORK);
      client.cast(OPCODE, () => {});
    }
    assert(server.serverId > 0);
  });
}

Deno.test("client and server of one event loop exchange a whole error, and nobody blocks", async () => {
  const channel = Channel.create({ portCount: 2, laneCount: 1 });
  const server = new Server(channel);
  server.operate(OPCODE, function fail() {
    throw new RangeError(MESSAGE);
  });
  const served = server.serveAsync();
  check(await assertRejects(() => new Client(channel).callAsync(OPCODE, WORK), CallError));
  channel.shutDown();
  await served;
});

Deno.test("a client that does not ask for whole errors gets the message in the first packet", () => {
  const channel = Channel.create({ portCount: 1, laneCount: 1 });
  const { words, layout } = channel;
  const server = new Server(channel);
  server.operate(OPCODE, () => {
    throw new RangeError(MESSAGE);
  });
  words.plain.set([1, 0, OPCODE, 0], layout.headersWord);
  words.store(layout.clientOutboxWord, 1);
  server.serveAll();
  const packet = new Packet(new PacketViews(words.plain, layout));
  packet.aim(0, 1, 0);
  assertEquals(readErrorText(packet), MESSAGE.slice(0, 60));
  assertEquals(words.load(layout.serverLockWord), 0, "it does not wait for more");
});
