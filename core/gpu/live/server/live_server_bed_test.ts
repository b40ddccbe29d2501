import type { Packet } from "../../../memory/packet.ts";
import { Channel } from "../../../toggle/channel.ts";
import type { Client } from "../../../toggle/client/client.ts";
import type { ChannelShape } from "../../../toggle/layout.ts";
import type { LiveDevice } from "../device/live_device.ts";
import { translate } from "../kernel/live_bed_test.ts";
import { LiveServer, type LiveServerOptions } from "./live_server.ts";

/** Adds 1. */
export const INCREMENT = "@service(40000) fn increment(x: u32) -> u32 { return x + 1u; }";

/** A channel that waves serve; freed with the device. */
export async function servedBy(
  device: LiveDevice,
  shape: ChannelShape,
  options: Partial<LiveServerOptions> = {},
): Promise<{ readonly channel: Channel; readonly server: LiveServer }> {
  const channel = Channel.create(shape);
  const memory = device.importBuffer(channel.handle.buffer);
  const source = INCREMENT;
  const made = { channel, memory, source, translate, ...options };
  return { channel, server: await LiveServer.create(device, made) };
}

/** Lets a client call, each time with a number that was not there before; returns how many answers were wrong. */
export function callMany(client: Client, callCount: number): number {
  let [nonce, wrongCount] = [1, 0];
  const work = {
    fill: (packet: Packet) =>
      packet.forEachLane((lane) => packet.setUint32(lane, 0, (nonce + lane) >>> 0)),
    use: (packet: Packet) =>
      packet.forEachLane((lane) => {
        if (packet.getUint32(lane, 0) !== (nonce + lane + 1) >>> 0) wrongCount++;
      }),
  };
  for (let call = 0; call < callCount; call++) {
    nonce = (Math.imul(nonce, 1664525) + call) >>> 0;
    client.call(40_000, work);
  }
  return wrongCount;
}
