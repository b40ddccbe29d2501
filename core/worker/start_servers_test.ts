import { assert, assertEquals, assertRejects } from "@std/assert";
import { Channel } from "../toggle/channel.ts";
import { Client } from "../toggle/client/client.ts";
import { ChannelState } from "../toggle/layout.ts";
import { TestOpcode } from "../testing/conformance/services.ts";
import { startServers } from "./start_servers.ts";

const SERVICES = new URL("../testing/conformance/services.ts", import.meta.url);
const SHAPE = { portCount: 4, laneCount: 1 };
function skip(): void {}

Deno.test("startServers() starts as many as the machine takes, and ends them with the channel", async () => {
  const channel = Channel.create(SHAPE);
  const pool = await startServers(channel, { services: [SERVICES] });
  assertEquals(pool.servers.length, Math.max(navigator.hardwareConcurrency - 1, 1));
  new Client(channel).call(TestOpcode.increment, { fill: skip, use: skip });
  channel.shutDown();
  await pool.done;
});

Deno.test("ServerPool.register() reaches every server, and terminate() ends every one", async () => {
  const channel = Channel.create(SHAPE);
  const pool = await startServers(channel, { count: 3 });
  assertEquals(new Set(pool.servers.map(({ serverId }) => serverId)).size, 3);
  const missing = new URL("./missing.ts", import.meta.url);
  await assertRejects(() => pool.register(missing), Error, "missing.ts");
  await pool.register(SERVICES);
  const client = new Client(channel);
  for (let call = 0; call < 300; call++) {
    client.call(TestOpcode.increment, { fill: skip, use: skip }, { timeoutSeconds: 10 });
  }
  assertEquals(await pool.terminate(), { hasLeft: true, heldPortCount: 0 });
  await pool.done;
  assertEquals(channel.state, ChannelState.stopped);
});

Deno.test("startServers() ends the others when one does not start, and may be tried again", async () => {
  const channel = Channel.create(SHAPE);
  const flag = new BroadcastChannel("start_servers_test");
  let asked = 0;
  // One of the three workers is told to fail: the second that asks.
  flag.onmessage = ({ data }) => flag.postMessage({ to: data, fails: ++asked === 2 });
  const services = [
    "data:text/javascript," + encodeURIComponent(`
      const flag = new BroadcastChannel("start_servers_test");
      const me = crypto.randomUUID();
      const verdict = new Promise((resolve) => {
        flag.onmessage = ({ data }) => data.to === me && resolve(data.fails);
      });
      flag.postMessage(me);
      export async function register() {
        const fails = await verdict;
        flag.close();
        if (fails) throw new Error("no luck");
      }`),
  ];
  await assertRejects(() => startServers(channel, { count: 3, services }), Error, "no luck");
  flag.close();
  assertEquals([asked, channel.state], [3, ChannelState.running]);
  await using again = await startServers(channel, { count: 1 });
  new Client(channel).call(0, { fill: skip, use: skip }, { timeoutSeconds: 10 });
  assertEquals(again.servers.length, 1);
});

Deno.test("startServers() refuses a count that is none, and await using ends the pool", async () => {
  for (const count of [0, -1, 1.5, NaN]) {
    await assertRejects(() => startServers(Channel.create(SHAPE), { count }), RangeError);
  }
  const channel = Channel.create(SHAPE);
  {
    await using pool = await startServers(channel, { count: 2 });
    assert(pool.servers.length === 2);
  }
  assertEquals(channel.state, ChannelState.stopped);
});
