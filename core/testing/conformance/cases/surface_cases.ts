/** What stands on the protocol: calls that do not block, and ports that are used once. */
import { TypedClient } from "../../../linear/typed_client.ts";
import { TypedServer } from "../../../linear/typed_server.ts";
import type { Packet } from "../../../memory/packet.ts";
import { Channel } from "../../../toggle/channel.ts";
import { Client } from "../../../toggle/client/client.ts";
import { Server } from "../../../toggle/server/server.ts";
import { TestOpcode } from "../services.ts";
import { TestBed } from "../test_bed.ts";
import type { Case } from "./case.ts";

const { increment } = TestOpcode;

export const SURFACE_CASES: readonly Case[] = [
  {
    name: "A call that does not block is answered by a server in a worker",
    run: callAsync,
    expected: 42,
  },
  {
    name: "A server on the event loop serves a client of its own thread",
    run: serveOwnThread,
    expected: [42, "left"],
  },
  {
    name: "A call that does not block ends at its deadline, and when it is aborted",
    run: endAsync,
    expected: ["TimeoutError", "AbortError"],
  },
  {
    name: "Typed ports call, and refuse to be used twice",
    run: callTyped,
    expected: [42, "ConsumedError"],
  },
];

async function answerOf(channel: Channel): Promise<number> {
  let answer = 0;
  await new Client(channel).callAsync(increment, {
    fill: (packet) => packet.setUint32(0, 0, 41),
    use: (packet) => answer = packet.getUint32(0, 0),
  });
  return answer;
}

async function callAsync(): Promise<number> {
  await using bed = await TestBed.start({ portCount: 1, laneCount: 1 });
  return await answerOf(bed.channel);
}

async function serveOwnThread(): Promise<unknown> {
  const channel = Channel.create({ portCount: 1, laneCount: 1 });
  const server = new Server(channel);
  server.operate(increment, addOne);
  const serving = server.runAsync();
  const answer = await answerOf(channel);
  channel.shutDown();
  await serving;
  return [answer, "left"];
}

/** Nobody serves. The first call keeps its port, so the second waits for one. */
async function endAsync(): Promise<string[]> {
  const client = new Client(Channel.create({ portCount: 1, laneCount: 1 }));
  const work = { fill() {}, use() {} };
  const nameOf = (call: Promise<void>) => call.then(() => "answered", (error) => error.name);
  const late = await nameOf(client.callAsync(increment, work, { timeoutSeconds: 0.02 }));
  const signal = new AbortController();
  const waiting = nameOf(client.callAsync(increment, work, { signal: signal.signal }));
  signal.abort();
  return [late, await waiting];
}

function callTyped(): Promise<unknown> {
  const channel = Channel.create({ portCount: 1, laneCount: 1 });
  const plain = new Server(channel);
  new TypedServer(plain).operatePort(increment, (port) => port.send(addOne).close());
  using client = new TypedClient(new Client(channel));
  const opened = client.open(increment);
  const sent = opened.send((packet) => packet.setUint32(0, 0, 41));
  plain.runOnce();
  const back = sent.recv();
  let answer = 0;
  back.use((packet) => answer = packet.getUint32(0, 0));
  back.close();
  // deno-lint-ignore linear/double-move -- that this is refused at run time is the case
  const again = nameOfThrown(() => (back as { close(): void }).close());
  return Promise.resolve([answer, again]);
}

function nameOfThrown(work: () => void): string {
  try {
    work();
    return "nothing";
  } catch (error) {
    return (error as Error).name;
  }
}

function addOne(packet: Packet): void {
  packet.setUint32(0, 0, packet.getUint32(0, 0) + 1);
}
