/** Pending calls of servers that block, each in a worker. */
import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { CallError } from "../../call/call_error.ts";
import type { Packet } from "../../memory/packet.ts";
import { startServer } from "../../worker/start_server.ts";
import { Channel } from "../channel.ts";
import { Client } from "../client/client.ts";

const LATER = 40_000;
const NOW = 40_001;
const BYTES = 40_002;
const ALONE = 40_003;
function skip(): void {}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** A service whose first call waits for the second, in a worker that blocks. */
const PAIR = "data:text/javascript," + encodeURIComponent(`
  import { Pending } from "${new URL("./pending.ts", import.meta.url)}";
  import { recvMessage, sendMessage } from "${new URL("../../call/message.ts", import.meta.url)}";
  let message;
  export function addServices(server) {
    server.operate(${LATER}, () => new Pending({
      poll: () => message && ((packet) => packet.setUint32(0, 0, message)),
    }));
    server.operate(${ALONE}, () => {
      const end = performance.now() + 20;
      return new Pending({ poll: () => performance.now() >= end ? () => {} : undefined });
    });
    server.operate(${NOW}, (packet) => void (message = packet.getUint32(0, 0)));
    server.operatePort(${BYTES}, (port) => {
      const bytes = recvMessage(port, { limitBytes: 1000 });
      return new Pending({ poll: () => message && (() => sendMessage(port, bytes.fill(message))) });
    });
  }`);
const OTHER = "data:text/javascript,export function addServices() {}";

for (const waiter of ["adaptive", "park", "spin-pause"] as const) {
  Deno.test(`a server that blocks polls what is pending between its searches (${waiter})`, async () => {
    const channel = Channel.create({ portCount: 4, laneCount: 1 });
    await using server = await startServer(channel, { services: [PAIR], waiter });
    const client = new Client(channel);
    let answer = 0;
    const use = (packet: Packet) => answer = packet.getUint32(0, 0);
    // Nobody rings for its end.
    client.call(ALONE, { fill: skip, use: skip }, { timeoutSeconds: 10 });
    const late = { timeoutSeconds: 0.02 };
    assertThrows(() => client.call(LATER, { fill: skip, use }, late), DOMException);
    const call = client.callAsync(LATER, { fill: skip, use });
    const bytes = client.callMessageAsync(BYTES, new Uint8Array(500), { limitBytes: 1000 });
    await server.addServices(OTHER); // the server goes out of its loop and in again
    await client.callAsync(NOW, { fill: (packet) => packet.setUint32(0, 0, 9), use: skip });
    await call;
    assertEquals([answer, await bytes], [9, new Uint8Array(500).fill(9)]);
  });
}

Deno.test("a server that blocks ends with its channel, and leaves, whatever is pending", async () => {
  const channel = Channel.create({ portCount: 2, laneCount: 1 });
  const server = await startServer(channel, { services: [PAIR] });
  const client = new Client(channel);
  const call = client.callAsync(LATER, { fill: skip, use: skip });
  channel.shutDown();
  const late = sleep(10).then(() => "goes on");
  assertEquals(await Promise.race([server.done, late]), "goes on");
  const lost = assertRejects(() => call, CallError);
  assertEquals((await server.terminate()).hasLeft, true);
  await lost;

  const stopped = Channel.create({ portCount: 2, laneCount: 1 });
  const other = await startServer(stopped, { services: [PAIR] });
  const gone = assertRejects(
    () => new Client(stopped).callAsync(LATER, { fill: skip, use: skip }),
    CallError,
  );
  await sleep(5);
  stopped.stop();
  await Promise.all([gone, other.done]);
});
