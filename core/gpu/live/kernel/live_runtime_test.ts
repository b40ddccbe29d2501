import { assertEquals } from "@std/assert";
import { Channel } from "../../../toggle/channel.ts";
import { onLiveDevice } from "../device/on_live_device_test.ts";
import { translate } from "./live_bed_test.ts";
import { LiveRuntime } from "./live_runtime.ts";

function optionsOf(source: string) {
  const channel = Channel.create({ portCount: 1, laneCount: 1 });
  return { source, channel, waveCount: 1, buffers: [] };
}

onLiveDevice(
  "LiveRuntime makes zeros of what is a number, and leaves the caller's buffers",
  async (device) => {
    const runtime = new LiveRuntime(device, translate);
    const given = device.createBuffer(4, "host");
    new Uint32Array(given.words!)[0] = 5;
    assertEquals([runtime.isBuffer(given), runtime.isBuffer(new Uint32Array(1))], [true, false]);
    const kernel = await runtime.compile({
      ...optionsOf(`@group(1) @binding(0) var<storage, read_write> own: array<u32>;
      @group(1) @binding(1) var<storage, read_write> given: array<u32>;
      fn kernel() { own[1] += given[0]; given[0] = own[0]; }`),
      buffers: [{ type: "storage", given: 8 }, { type: "storage", given }],
    });
    kernel.write(0, Uint32Array.of(7));
    await kernel.runAsync({ runOnce: () => false, runAll: () => 0 }, {});
    const [own, theirs] = await Promise.all([0, 1].map((binding) => kernel.read(binding)));
    assertEquals([[...new Uint32Array(own!)], [...new Uint32Array(theirs!)]], [[7, 5], [7]]);
    kernel.destroy();
    assertEquals(given.isDisposed, false);
  },
);
