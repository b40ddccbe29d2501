/** How servers end whose code failed. */
import { assertEquals, assertRejects } from "@std/assert";
import { CallError } from "../call/call_error.ts";
import { Channel } from "../toggle/channel.ts";
import { Client } from "../toggle/client/client.ts";
import { ChannelState } from "../toggle/layout.ts";
import { Server } from "../toggle/server/server.ts";
import { startServer } from "./start_server.ts";

const SHAPE = { portCount: 4, laneCount: 1 };
function skip(): void {}

Deno.test("a server that fails in a thread that lives is asked to leave, and not reclaimed", async () => {
  const channel = Channel.create(SHAPE);
  const broken = "data:text/javascript," + encodeURIComponent(`
    export const addServices = (server) => {
      server.run = () => { throw new Error("broken"); };
    };`);
  const server = await startServer(channel, { services: [broken] });
  await assertRejects(() => server.done, Error, "broken");
  const report = await server.terminate();
  assertEquals(report, { hasLeft: false, heldPortCount: 0 });
  assertEquals([channel.leaveRequests.hasGivenUp(), channel.state], [true, ChannelState.stopped]);
});

Deno.test("a service that ends its own worker leaves no caller waiting", async () => {
  const leaving = "data:text/javascript," + encodeURIComponent(`
    export const addServices = (server) => server.operate(41_000, () => Deno.exit(3));`);
  const channel = Channel.create(SHAPE);
  const server = await startServer(channel, { services: [leaving] });
  const call = new Client(channel).callAsync(41_000, { fill: skip, use: skip }, {
    timeoutSeconds: 60,
  });
  await assertRejects(() => call, CallError, "the server was shut down");
  await assertRejects(() => server.done, Error, "ended itself");
  assertEquals(await server.terminate(), { hasLeft: false, heldPortCount: 1 });
});

Deno.test("ServerHandle.done tells of a crash, also while the server is asked to leave", async () => {
  const crashing = "data:text/javascript," + encodeURIComponent(`
    export const addServices = (server) => server.operateAsync(41_000, (_packet, { signal }) =>
      new Promise(() => signal.addEventListener("abort", () =>
        setTimeout(() => { throw new Error("crashed on its way out"); }))));`);
  const channel = Channel.create(SHAPE);
  const server = await startServer(channel, { services: [crashing] });
  new Client(channel).cast(41_000, skip);
  const { words, layout } = channel;
  const isHeld = () =>
    [0, 1, 2, 3].some((index) => words.load(layout.serverLockWord + index) !== 0);
  while (!isHeld()) await new Promise((resolve) => setTimeout(resolve, 1));
  const terminated = server.terminate({ timeoutSeconds: 60 });
  await assertRejects(() => server.done, Error, "crashed on its way out");
  channel.leaveRequests.answer(server.serverId); // as nobody else will
  await terminated;
});

for (
  const [portLock, state] of [
    ["owner", ChannelState.running],
    ["fetch-or", ChannelState.stopped],
  ] as const
) {
  Deno.test(`a crash takes the channel with it where nobody knows what it held: ${portLock}`, async () => {
    const crashing = "data:text/javascript," + encodeURIComponent(`
      export const addServices = (server) => server.operateAsync(41_000, () =>
        new Promise(() => setTimeout(() => { throw new Error("crashed in a call"); })));`);
    const channel = Channel.create({ ...SHAPE, portLock });
    new Server(channel).announce();
    const server = await startServer(channel, { services: [crashing] });
    new Client(channel).cast(41_000, skip);
    await assertRejects(() => server.done, Error, "crashed in a call");
    assertEquals(channel.state, state);
  });
}

Deno.test("startServer() that crashes before it serves takes nothing from the channel", async () => {
  const crashing = "data:text/javascript," + encodeURIComponent(`
    setTimeout(() => { throw new Error("crashed at its start"); });
    await new Promise(() => setInterval(() => {}, 1000));`);
  const channel = Channel.create(SHAPE);
  const client = new Client(channel);
  const port = client.open(41_000);
  const start = startServer(channel, { services: [crashing] });
  await assertRejects(() => start, Error, "crashed at its start");
  const { words, layout } = channel;
  assertEquals(channel.state, ChannelState.running);
  assertEquals(words.load(layout.clientLockWord + port.index), client.id);
  port.close();
});
