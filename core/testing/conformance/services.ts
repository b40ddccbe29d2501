import type { Packet } from "../../memory/packet.ts";
import type { Server } from "../../toggle/server/server.ts";
import type { ServerPort } from "../../toggle/server/server_port.ts";
import { recvStream, sendStream } from "../../call/stream.ts";

/** What the tests ask their servers for. */
export const TestOpcode = {
  increment: 40_000,
  interface: 40_001,
  echo: 40_002,
  count: 40_003,
  pageIncrement: 40_004,
  fails: 40_005,
  leavesEarly: 40_006,
  sendsTwice: 40_007,
  echoInParts: 40_008,
  echoPlusOne: 40_009,
  unhandled: 40_999,
} as const;

/** The longest stream that `echo` takes. */
export const ECHO_LIMIT_BYTES = 1 << 16;
/** The longest that `echoInParts` takes. */
export const PARTS_LIMIT_BYTES = 1 << 21;

/** Registers what the tests ask for; a module for `startServer`. */
export function addServices(server: Server): void {
  server.operate(TestOpcode.increment, increment);
  server.operate(TestOpcode.pageIncrement, incrementPage);
  server.operate(TestOpcode.fails, failOddLanes);
  server.operatePort(TestOpcode.interface, mirrorInterface);
  server.operatePort(TestOpcode.echo, echo);
  server.operatePort(TestOpcode.echoPlusOne, echoPlusOne);
  server.operatePort(TestOpcode.echoInParts, echoInParts);
  server.operatePort(TestOpcode.leavesEarly, (port) => port.recv(() => {}));
  server.operatePort(TestOpcode.sendsTwice, sendTwice);
  let count = 0;
  server.operate(TestOpcode.count, (packet) => packet.setUint32(packet.firstLane, 1, ++count));
}

/** Each lane's word 0, plus one: LLVM's rpc_test. */
export function increment(packet: Packet): void {
  packet.forEachLane((lane) => packet.setUint32(lane, 0, packet.getUint32(lane, 0) + 1));
}

/** Every word of the page, plus one: hostrpc's stress tests. */
function incrementPage(packet: Packet): void {
  const { uint32 } = packet;
  for (let word = 0; word < uint32.length; word++) uint32[word]! += 1;
}

function failOddLanes(packet: Packet): void {
  packet.forEachLane((lane) => {
    if (lane % 2 === 1) throw new Error(`lane ${lane} is odd`);
  });
}

/** The server's half of LLVM's rpc_interface_test: r r s r s r r s s, then r or s. */
function mirrorInterface(port: ServerPort<"fresh">): void {
  let counter = 0;
  let endsWithRecv = false;
  const take = (packet: Packet) => counter = packet.getUint32(0, 0);
  const give = (packet: Packet) => packet.setUint32(0, 0, ++counter);
  const flow = port.recv((packet) => endsWithRecv = packet.getUint32(0, 0) === 1)
    .recv(take).send(give).recv(take).send(give).recv(take).recv(take).send(give).send(give);
  if (endsWithRecv) flow.recv(take);
  else flow.send(give);
}

function echo(port: ServerPort<"fresh">): void {
  sendStream(port, recvStream(port, { limitBytes: ECHO_LIMIT_BYTES }));
}

/** Without the one, a lane that never received would still hold the bytes that are expected. */
function echoPlusOne(port: ServerPort<"fresh">): void {
  const bytesByLane = recvStream(port, { limitBytes: ECHO_LIMIT_BYTES });
  sendStream(port, bytesByLane.map((bytes) => bytes?.map((byte) => byte + 1)));
}

/** As the echo, with several parts of a packet under way, and of longer streams. */
function echoInParts(port: ServerPort<"fresh">): void {
  sendStream(port, recvStream(port, { limitBytes: PARTS_LIMIT_BYTES }), { window: 4 });
}

function sendTwice(port: ServerPort<"fresh">): void {
  port.recv(() => {}).send(() => {}).send(() => {});
}
