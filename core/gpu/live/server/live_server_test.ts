import { assert, assertEquals, assertRejects } from "@std/assert";
import { Channel } from "../../../toggle/channel.ts";
import type { ChannelShape } from "../../../toggle/layout.ts";
import { Client } from "../../../toggle/client/client.ts";
import type { LiveDevice } from "../device/live_device.ts";
import { onLiveDevice } from "../device/on_live_device_test.ts";
import { translate } from "../kernel/live_bed_test.ts";
import { LiveServer, type LiveServerOptions } from "./live_server.ts";

const INCREMENT = "@service(40000) fn increment(x: u32) -> u32 { return x + 1u; }";

async function servedBy(
  device: LiveDevice,
  shape: ChannelShape,
  options: Partial<LiveServerOptions> = {},
) {
  const channel = Channel.create(shape);
  const memory = device.importBuffer(channel.handle.buffer);
  const server = await LiveServer.create(device, {
    channel,
    memory,
    source: INCREMENT,
    translate,
    ...options,
  });
  return { channel, server };
}

onLiveDevice("100 000 calls are answered by a wave, each with its own answer", async (device) => {
  const { channel, server } = await servedBy(device, { portCount: 2, laneCount: 1 });
  const served = server.runAsync();
  const client = new Client(channel, { waiter: "spin" });
  let [nonce, wrongCount] = [1, 0];
  const work = {
    fill: (packet: import("../../../memory/packet.ts").Packet) => packet.setUint32(0, 0, nonce),
    use: (packet: import("../../../memory/packet.ts").Packet) => {
      if (packet.getUint32(0, 0) !== (nonce + 1) >>> 0) wrongCount++;
    },
  };
  const t = performance.now();
  for (let call = 0; call < 100_000; call++) {
    nonce = (Math.imul(nonce, 1664525) + call) >>> 0;
    client.call(40_000, work);
  }
  console.log((performance.now() - t) / 100);
  server.stop();
  assertEquals(await served, { callCount: 100_000, refusedCallCount: 0, end: "left" });
  assertEquals(wrongCount, 0);
});
