import { assertEquals, assertThrows } from "@std/assert";
import { Channel } from "../../../toggle/channel.ts";
import { Client } from "../../../toggle/client/client.ts";
import { Server } from "../../../toggle/server/server.ts";
import type { GpuDevice } from "../../device/device.ts";
import { devicePlaces, REPORT_WORDS } from "../../wgsl/layout_constants.ts";
import { DeviceChannel } from "./device_channel.ts";

/** A device that only remembers where was written: these rules need no GPU. */
function recorder() {
  const writes: { label: string; byte: number }[] = [];
  const big = 2 ** 30;
  const device = {
    limits: { maxBufferSize: big, maxStorageBufferBindingSize: big },
    createBuffer: ({ label }: GPUBufferDescriptor) => ({ label, destroy: () => {} }),
    queue: {
      writeBuffer: ({ label }: GPUBuffer, byte: number) => writes.push({ label, byte }),
    },
  };
  const gpu = { device, adapterName: "", isSoftware: true, lostReason: undefined };
  return { gpu: gpu as unknown as GpuDevice, writes };
}

Deno.test("DeviceChannel puts a mailbox right that the device has overwritten", () => {
  const { gpu, writes } = recorder();
  const channel = Channel.create({ portCount: 4, laneCount: 1 });
  const deviceChannel = new DeviceChannel(gpu, channel);
  const words = new Int32Array(deviceChannel.readbackBytes() / 4);
  words[REPORT_WORDS + 3] = -7;
  writes.length = 0;
  const reported: number[] = [];
  deviceChannel.take(words, 4, ({ portIndex }) => reported.push(portIndex));
  assertEquals(reported, [3]);
  const byte = (devicePlaces(channel.layout).clientOutboxWord + 3) * 4;
  assertEquals(writes, [{ label: "channel", byte }]);
});

Deno.test("DeviceChannel is a channel's only client, until it is destroyed", () => {
  const { gpu } = recorder();
  const channel = Channel.create({ portCount: 2, laneCount: 1 });
  const client = new Client(channel);
  const first = new DeviceChannel(gpu, channel);
  assertThrows(() => new DeviceChannel(gpu, channel), TypeError, "holds its port 0");
  assertEquals(client.tryOpen(40_000), undefined);
  first.destroy();
  client.tryOpen(40_000)!.close();
});

Deno.test("DeviceChannel leaves ports to who comes after it, also where the device has flipped", () => {
  const { gpu } = recorder();
  const channel = Channel.create({ portCount: 1, laneCount: 1 });
  const deviceChannel = new DeviceChannel(gpu, channel);
  const words = new Int32Array(deviceChannel.readbackBytes() / 4);
  words[REPORT_WORDS] = 1;
  assertEquals(deviceChannel.take(words, 1, () => {}), 1);
  assertEquals(new Server(channel).runAll(), 1);
  deviceChannel.destroy();
  new Client(channel).tryOpen(40_000)!.close();
});

Deno.test("DeviceChannel locks no port when a client holds one", () => {
  const { gpu } = recorder();
  const channel = Channel.create({ portCount: 3, laneCount: 1 });
  const client = new Client(channel);
  const ports = [0, 1, 2].map(() => client.tryOpen(40_000)!);
  ports[0]!.close();
  const create = () => new DeviceChannel(gpu, channel);
  assertThrows(create, TypeError, `client ${client.id} holds its port 1`);
  client.tryOpen(40_000)!.close();
  for (const port of ports.slice(1)) port.close();
  create().destroy();
});
