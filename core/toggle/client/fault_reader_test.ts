import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { CallError } from "../../call/call_error.ts";
import { readErrorText } from "../../call/error_text.ts";
import { Packet } from "../../memory/packet.ts";
import { PacketViews } from "../../memory/packet_views.ts";
import { Status } from "../../memory/status.ts";
import { startServer } from "../../worker/start_server.ts";
import { Channel } from "../channel.ts";
import { Server } from "../server/server.ts";
import { errorWriter } from "../../call/whole_error.ts";
import { Deadline } from "../../wait/deadline.ts";
import { WaitEnd } from "../../wait/wait_end.ts";
import { Client } from "./client.ts";
import type { ClientSide } from "./client_side.ts";
import { readFault, readFaultAsync, readFirstFault } from "./fault_reader.ts";

const OPCODE = 40_000;
const WORK = { fill: () => {}, use: () => {} };
const MESSAGE = "a long way down ".repeat(300);
const SERVICES = "data:text/javascript," + encodeURIComponent(`
  function fail() { throw new RangeError("${MESSAGE}"); }
  export function addServices(server) {
    server.operate(${OPCODE}, fail);
    server.operatePort(${OPCODE + 1}, (port) => port.recv(() => {}).send(() => {}).recv(fail));
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
  const served = server.runAsync();
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
  server.runAll();
  const packet = new Packet(new PacketViews(words.plain, layout));
  packet.aim(0, 1, 0);
  assertEquals(readErrorText(packet), MESSAGE.slice(0, 60));
  assertEquals(words.load(layout.serverLockWord), 0, "it does not wait for more");
});

/** A side whose server sends an error of 150 letters, in packets of one lane, with these statuses. */
function answering(statuses: readonly (Status | Error)[]) {
  const views = new PacketViews(new Int32Array(16), {
    laneCount: 1,
    packetWords: 16,
    packetsWord: 0,
  });
  const packet = new Packet(views);
  packet.aim(0, 1, 0);
  const error = new RangeError("x".repeat(150));
  error.stack = "";
  const writer = errorWriter(error);
  writer.put(packet);
  let step = 0;
  const waits: unknown[] = [];
  const next = (...wait: unknown[]) => {
    waits.push(wait);
    const status = statuses[++step];
    if (status === undefined || status instanceof Error) throw status ?? new Error("no more");
    writer.put(packet);
  };
  const side = {
    headers: { status: () => statuses[step] },
    giveAwayAgain: (index: number) => waits.push(index),
    awaitBuffer: next,
    awaitBufferAsync: (...wait: unknown[]) => Promise.resolve().then(() => next(...wait)),
  };
  return { side: side as unknown as ClientSide, packet, waits };
}

const FAILED = Status.handlerFailed;

for (
  const [what, statuses, letterCount] of [
    ["comes whole", [FAILED, FAILED, FAILED], 150],
    ["ends where the server tells of something else", [FAILED, FAILED, Status.clientLate], 106],
    ["ends where the wait does", [FAILED, new Error("too late")], 42],
    ["is absent from other statuses", [Status.badMask], 0],
  ] as const
) {
  Deno.test(`what went wrong ${what}, for those who block and those who do not`, async () => {
    const deadline = new Deadline({ timeoutSeconds: 60 });
    const end = new WaitEnd();
    const call = { opcode: OPCODE, deadline, end };
    const blocking = answering(statuses);
    const awaiting = answering(statuses);
    const errors = [
      readFault(blocking.side, blocking.packet, call),
      await readFaultAsync(awaiting.side, awaiting.packet, call),
    ];
    for (const error of errors) {
      assertEquals([error.status, error.opcode], [statuses[0], OPCODE]);
      assertEquals(error.message.match(/x+$/)?.[0].length ?? 0, letterCount);
    }
    const steps = statuses.slice(1).flatMap(() => [0, [0, OPCODE, deadline]]);
    const stepsAsync = statuses.slice(1).flatMap(() => [0, [0, OPCODE, deadline, end]]);
    assertEquals([blocking.waits, awaiting.waits], [steps, stepsAsync]);
  });
}

Deno.test("readFaultAsync() touches no port that was closed when its wait had just ended", async () => {
  const { side, packet, waits } = answering([FAILED, FAILED, FAILED]);
  const end = new WaitEnd();
  const close = () => end.end(new Error("closed"));
  const call = { opcode: OPCODE, deadline: undefined, end };
  const closing = Object.assign(side, {
    awaitBufferAsync: () => Promise.resolve().then(close),
    headers: { status: () => end.isOver ? waits.push("status") : FAILED },
  });
  const error = await readFaultAsync(closing, packet, call);
  assertEquals([error.message.match(/x+$/)?.[0].length, waits], [42, [0]]);
});

Deno.test("readFirstFault() reads what is in the packet, and waits for nothing", () => {
  const { side, packet, waits } = answering([FAILED]);
  assertEquals(readFirstFault(side, packet, OPCODE).message.match(/x+$/)?.[0].length, 42);
  packet.setUint32(0, 1, 1); // a length that no server writes
  const error = readFirstFault(side, packet, OPCODE);
  assertEquals([error.status, error.cause, waits], [FAILED, undefined, []]);
});
